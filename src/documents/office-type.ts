import { lengthOf, wordsOf, type OfficeBlock } from './office-blocks.js';
import type { TreeNode } from './tree.js';

/** In characters: lines of code are shorter than sentences that fill a paragraph. */
const longestCode = 80;
/** Five words or more with no other signs than those of sentences. */
const plainWords = /^\p{Lu}[\p{L}\d'’-]*,?(?: [\p{L}\d'’-]+,?){4,}[.!?:]$/u;

/** The blocks of a text whose sentences are all in monospaced type: there, this type is no sign of code. */
export function inPlainType(blocks: readonly OfficeBlock[]): OfficeBlock[] {
  const texts = blocks.filter((block) => block.kind !== 'element');
  const sentences = texts.filter((block) => {
    const words = wordsOf(block);
    const isLong = words.length > longestCode || plainWords.test(words);
    return isLong && /[\p{L})”"][.!?:]$/u.test(words);
  });
  const typed = sentences.filter(({ mono }) => mono === 'all');
  const isPlain = lengthOf(typed) > 0.5 * lengthOf(texts);
  if (!isPlain) return [...blocks];
  return blocks.map((block) =>
    block.kind === 'element' ? block : { ...block, mono: 'none', nodes: plain(block.nodes) },
  );
}

function plain(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [node];
    const children = plain(node.children);
    return node.attributes['mono'] === undefined ? [{ ...node, children }] : children;
  });
}
