import { isFilled, lengthOf, wordsOf, type OfficeBlock } from './office-blocks.js';
import { makeElement, rawText, type TreeNode } from './tree.js';
import { isDrawn, isProse } from './typed-lines.js';

/** In characters: lines of code are shorter than sentences that fill a paragraph. */
const longestCode = 80;
const codeSign = /^[-$>#]|[;{}=\\]$|\s--?\w|\w\(|[<>|&]{2}/;
/** In characters: a longer paragraph of sentences is a text. */
const longestText = 160;
/** Five words or more with no other signs than those of sentences. */
const plainWords = /^\p{Lu}[\p{L}\d'’-]*,?(?: [\p{L}\d'’-]+,?){4,}[.!?:]$/u;

/** The blocks of a text whose sentences are all in monospaced type: there, this type is no sign of code. */
export function inPlainType(blocks: readonly OfficeBlock[]): OfficeBlock[] {
  const lines = blocks.filter((block) => block.kind !== 'element');
  const sentences = lines.filter((block) => {
    const words = wordsOf(block);
    const isLong = words.length > longestCode || plainWords.test(words);
    return isLong && /[\p{L})”"][.!?:]$/u.test(words);
  });
  const typed = sentences.filter(({ mono }) => mono === 'all');
  const isPlain = lengthOf(typed) > 0.5 * lengthOf(lines);
  const texts = isPlain ? undefined : textsOf(blocks);
  return blocks.map((block) =>
    block.kind === 'element' || texts?.has(block) === false
      ? block
      : { ...block, mono: 'none', nodes: plain(block.nodes) },
  );
}

/** The neighbours in monospaced type that are mostly paragraphs of sentences. */
function textsOf(blocks: readonly OfficeBlock[]): Set<OfficeBlock> {
  const texts = new Set<OfficeBlock>();
  let run: OfficeBlock[] = [];
  for (const block of [...blocks, undefined]) {
    if (
      block !== undefined &&
      (!isFilled(block) || (block.kind === 'paragraph' && block.mono === 'all'))
    ) {
      run.push(block);
      continue;
    }
    const isMost = lengthOf(run.filter(isText)) > 0.5 * lengthOf(run);
    if (isMost && !run.some((each) => !isText(each) && codeSign.test(wordsOf(each))))
      for (const each of run) texts.add(each);
    run = [];
  }
  return texts;
}

/** True for a paragraph of sentences, whatever type it has. */
function isText(block: OfficeBlock): boolean {
  if (block.kind !== 'paragraph' || block.mono !== 'all') return false;
  const text = rawText(makeElement('p', block.nodes)).trimEnd();
  const rows = text.split('\n');
  const isPlaced = /\S(?: {4,}|\t)\s*\S/.test(text) || isDrawn(rows);
  return wordsOf(block).length > longestText && isProse(rows, false) && !isPlaced;
}

function plain(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [node];
    const children = plain(node.children);
    return node.attributes['mono'] === undefined ? [{ ...node, children }] : children;
  });
}
