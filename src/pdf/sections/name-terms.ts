import { withoutEscapes } from '../../platform/text/escape-markdown.js';
import type { Block } from '../../sections/block.js';
import { isLabelText, labelWords } from '../../sections/labels.js';
import { sameLeft } from '../../sections/part-name.js';

/** With fewer of them at one left edge, a short line above indented text is no term. */
const leastTerms = 3;
/** In words: a longer line in the type of the text is the beginning of a sentence. */
const mostWords = 6;
/** In characters: shorter text below a short line is another label, or the cell of a table. */
const leastText = 60;

/** The words of a short line that ends no sentence; of a command, its name without its arguments. */
function shortLine({ kind, text }: Block): string | undefined {
  const rows = kind === 'code' ? text.split('\n').slice(1, -1) : [withoutEscapes(text)];
  const [row = ''] = rows;
  // An option of a command, with its description in the next column of the listing.
  const option = kind === 'code' ? /^(-\S{1,30}(?: \S{1,12})?) {2,}\S/.exec(row)?.[1] : undefined;
  if (option !== undefined) return option;
  if (rows.length > 2 || /[.!?;:,{}]$|^\s*(?:#|\/[/*])/.test(row)) return undefined;
  const words = labelWords(row.trim().replace(/\s+[[<{(].*$/, ''));
  return isLabelText(words) && words.split(' ').length <= mostWords ? words : undefined;
}

/** True for a plain head: alone on its line at the left edge, between whole sentences. */
function isHead(before: Block | undefined, block: Block, below: Block): boolean {
  if (block.kind !== 'paragraph' || below.kind !== 'paragraph') return false;
  if ((block.left ?? 0) > sameLeft || (below.left ?? 0) > sameLeft) return false;
  if (before?.kind === 'paragraph' && !/[.!?]["”’»)]*$/.test(before.text)) return false;
  return (
    /^\p{Lu}/u.test(block.text) && below.text.length >= leastText && /^\p{Lu}/u.test(below.text)
  );
}

/** Gives labels to terms, whose definitions are indented below them, and to plain heads. */
export function nameTerms(blocks: readonly Block[]): Block[] {
  const terms = new Map<number, Block[]>();
  const labels = new Map<Block, string>();
  for (const [at, block] of blocks.entries()) {
    const below = blocks[at + 1];
    const { kind, label, left } = block;
    if (kind === 'table' || kind === 'note' || label !== undefined || left === undefined) continue;
    if (below === undefined || below.kind === 'heading' || below.kind === 'code') continue;
    const words = shortLine(block);
    if (words === undefined) continue;
    const isTerm = (below.left ?? 0) >= left + sameLeft;
    if (isTerm) {
      const alike = terms.get(Math.round(left));
      if (alike === undefined) terms.set(Math.round(left), [block]);
      else alike.push(block);
    }
    if (isTerm || isHead(blocks[at - 1], block, below)) labels.set(block, words);
  }
  for (const alike of terms.values()) {
    if (alike.length < leastTerms) alike.forEach((block) => labels.delete(block));
  }
  return blocks.map((block) => {
    const label = labels.get(block);
    return label === undefined ? block : { ...block, label };
  });
}
