import type { Block, Inline } from './blocks.js';
import { parseMarkdown } from './parse-markdown.js';

/** A text without Markdown signs, for readers that show plain text, such as mails. Links name their address. */
export function plainText(markdown: string): string {
  return written(parseMarkdown(markdown), '\n\n');
}

function written(blocks: readonly Block[], between: string): string {
  return blocks
    .map((block) => writeBlock(block))
    .filter((text) => text !== '')
    .join(between);
}

function writeBlock(block: Block): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return wordsOf(block.children);
    case 'code':
      return block.text;
    case 'quote':
      return begun(written(block.children, '\n\n'), '> ', '> ');
    case 'list': {
      const { start, children } = block;
      const mark = (index: number) => (start === undefined ? '- ' : `${start + index}. `);
      return children
        .map((item, index) => begun(writeBlock(item), mark(index), ' '.repeat(mark(index).length)))
        .join('\n');
    }
    case 'item':
      return written(block.children, '\n');
    case 'table':
      return [block.head, ...block.children].map((row) => row.map(wordsOf).join(' | ')).join('\n');
    case 'rule':
      return '';
  }
}

/** A text with something before its first line, and something before each other line. */
const begun = (text: string, first: string, other: string): string =>
  first + text.replaceAll('\n', `\n${other}`);

function wordsOf(nodes: readonly Inline[]): string {
  const words = nodes.map((node) => {
    if (node.type === 'citation') return `[${node.number}]${node.sign}`;
    if (node.type === 'break') return '\n';
    if (!('children' in node)) return node.text;
    const text = wordsOf(node.children);
    if (node.type !== 'link' || node.href.endsWith(text)) return text;
    return `${text} (${node.href.replace(/^mailto:/, '')})`;
  });
  return words.join('');
}
