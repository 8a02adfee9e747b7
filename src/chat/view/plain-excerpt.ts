import type { Inline } from '../markdown/blocks.js';
import { parseInline } from '../markdown/parse-inline.js';

/**
 * An excerpt without Markdown signs. The excerpt is one line, cut anywhere: its blocks are unknown, and a code fence
 * may have lost its end.
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
