import { isStyled, wordsOf, type OfficeBlock } from './office-blocks.js';

/** A heading of an appendix: the words, and its number or letter. */
const ofAppendix =
  /^(?:appendix|annex|anhang|anlage|apéndice|anexo)\s+(?:[A-Z]|\d{1,2}|[IVX]{1,4})(?![\p{L}\p{N}])/iu;

/**
 * The blocks with appendices as chapters, if nothing but appendices follows the last chapter: templates give them a level
 * of their own, which is deeper than those of the chapters.
 */
export function withAppendices(blocks: readonly OfficeBlock[]): OfficeBlock[] {
  const isAppendix = (block: OfficeBlock) => isStyled(block) && ofAppendix.test(wordsOf(block));
  const first = blocks.findIndex(isAppendix);
  const above = blocks.slice(0, Math.max(0, first)).filter(isStyled);
  const levels = above.map(({ level }) => level).sort();
  // A level that one heading has is that of the title.
  const chapter = levels.find((level, at) => level === levels[at + 1]);
  if (chapter === undefined) return [...blocks];
  const below = blocks.slice(first).filter(isStyled);
  const isEnd = below.every((block) => block.level > chapter || isAppendix(block));
  if (!isEnd) return [...blocks];
  return blocks.map((block) => (isAppendix(block) ? { ...block, level: chapter } : block));
}
