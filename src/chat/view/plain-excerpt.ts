import type { Inline } from '../markdown/blocks.js';
import { parseInline } from '../markdown/parse-inline.js';

/**
 * The words of an excerpt, without the signs of their Markdown. It is one line, cut anywhere: what was a block is not
 * known any more, and a fence may have lost its end.
 */
export function plainExcerpt(excerpt: string): string {
  const fenced = excerpt.replace(/(`{3,})[\w+#.-]+(?=\s)/g, '$1');
  return wordsOf(parseInline(fenced))
    .replace(/\s*`{3,}\s*/g, ' ')
    .trim();
}

function wordsOf(nodes: readonly Inline[]): string {
  const words = nodes.map((node) => {
    if ('children' in node) return wordsOf(node.children);
    if (node.type === 'citation') return `[${node.number}]${node.sign}`;
    return node.type === 'break' ? ' ' : node.text;
  });
  return words.join('');
}
