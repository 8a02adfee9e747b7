import { isCaptionText } from '../sections/labels.js';
import { isStyled, wordsOf, type OfficeBlock } from './office-blocks.js';
import { linesOf } from './office-lines.js';
import type { TreeNode } from './tree.js';

/** In characters: a line of a page that was filled, except the last one of a paragraph. */
const shortestLine = 60;
const longestLine = 120;
/** The same of a narrow page, where the line begins a sentence. */
const shortestNarrow = 35;
/** No sentence or title ends with this word. */
export const openWord =
  / (?:an?|and|or|of|for|the|to|in|by|are|is|und|oder|der|die|das|den|dem|beim|für|von|y|de|el|la|los|para|que):?$/u;
const openSentence = /^(?:\d{1,2}[.)] )?\p{Lu}\p{Ll}+ [\p{L}\d]+ /u;

/** The caption of a picture. */
const ofPicture = /^(?:picture|bild|image|imagen|screenshot)\.? ?\d/i;
/** A long line that ends as a sentence does, or goes on behind one. */
const sentence = /^(?:.{89,}[.;]$|(?=.{40}).*\p{Ll}{3}[.!] \p{Lu})/u;
type Paragraph = Extract<OfficeBlock, { kind: 'paragraph' }>;

/** The blocks of a text as their author meant them, whatever style, list or breaks of lines they were typed with. */
export function plainParagraphs(blocks: readonly OfficeBlock[]): OfficeBlock[] {
  return joinWrapped(blocks.map(plainIfLong).flatMap(linesOf));
}

/** Letters of a glossary, empty lines, captions, sentences and whole paragraphs are no headings. */
function plainIfLong(block: OfficeBlock): OfficeBlock {
  if (!isStyled(block)) return block;
  const words = wordsOf(block);
  const isHeading =
    words.length > 1 &&
    ![sentence, ofPicture].some((pattern) => pattern.test(words)) &&
    !isCaptionText(words);
  return isHeading ? block : { ...block, level: undefined };
}

/** Joins the lines of a paragraph that was typed as one paragraph for each line. */
function joinWrapped(blocks: readonly OfficeBlock[]): OfficeBlock[] {
  const joined: OfficeBlock[] = [];
  let line = '';
  /** The nodes of the last paragraph, if lines were joined to it: to copy them for each line would take quadratic time. */
  let open: TreeNode[] | undefined;
  for (const block of blocks) {
    const last = joined.at(-1);
    const above = line;
    line = isText(block) ? wordsOf(block) : '';
    const isOfSentence = openSentence.test(wordsOf(last)) && !/:(?:\s|$)/.test(above + line);
    const shortest = isOfSentence ? shortestNarrow : shortestLine;
    const isFull = above.length >= shortest && above.length <= longestLine;
    const isOpen = openWord.test(above) && isOfSentence && /^\p{L}/u.test(line);
    const goesOn = (isOpen || /^\p{Ll}+(?:[ ,-]|$)/u.test(line)) && !/[;{}=*]/.test(line);
    if (isText(block) && isText(last) && isFull && goesOn && /[\p{L}\p{N},)“”"-]$/u.test(above)) {
      if (open === undefined) {
        open = [...last.nodes];
        joined[joined.length - 1] = { ...last, nodes: open };
      }
      open.push(' ');
      for (const node of block.nodes) open.push(node);
      continue;
    }
    open = undefined;
    joined.push(block);
  }
  return joined;
}

function isText(block: OfficeBlock | undefined): block is Paragraph {
  return (
    block?.kind === 'paragraph' &&
    block.mono === 'none' &&
    block.level === undefined &&
    !block.isBold
  );
}
