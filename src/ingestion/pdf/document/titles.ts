import { cleanText } from '../layout/clean-text.js';

const chapterWord =
  /^(chapter|part|section|appendix|kapitel|teil|abschnitt|anhang|capítulo|parte|sección|apéndice|anexo|chapitre|capitolo)\s+([\dIVXLC]+(\.\d+)*|[A-Z])\b[.:)\s–—-]*/i;
const cjkChapter = /^第\s*[\d一二三四五六七八九十]+\s*[章节節部]\s*[.:、]?\s*/;
/** `3.2`, `3.2.1.`, `A.1`: never part of the words. */
const compoundNumber = /^([A-Z]|\d{1,2})(\.\d{1,3})+\.?\s+/;
const simpleNumber = /^(\d{1,3}|[A-Z]|[IVXLC]{1,5})[.)]\s+/;
const bareNumber = /^\d{1,2}\s+(?=\p{L})/u;

/** How many levels a heading's own number states: 3 for `3.2.1`, 0 without one. */
export function numberDepth(title: string): number {
  const match = /^((?:[A-Z]|\d{1,3})(?:\.\d{1,3})*)[.)]?\s+\S/.exec(title);
  if (match === null || /^[A-Z]$/.test(match[1] ?? '')) return 0;
  return match[1]?.split('.').length ?? 0;
}

/**
 * A title without its number, which says nothing outside of its document.
 * @param numbered whether the document numbers its headings: only then is the 3 of `3 Networks` a number, and not a count
 */
export function stripNumber(title: string, numbered: boolean): string {
  let text = cleanText(title)
    .replace(/\u00ad/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  for (const pattern of [
    chapterWord,
    cjkChapter,
    compoundNumber,
    simpleNumber,
    ...(numbered ? [bareNumber] : []),
  ]) {
    const rest = text.replace(pattern, '').trim();
    if (/[\p{L}\p{N}]/u.test(rest)) text = rest;
  }
  return text.replace(/[\s:]+$/, '');
}

/** What two spellings of a title have in common: bookmark and heading differ in numbers, spaces, quotes, hyphens. */
export function titleKey(title: string): string {
  return stripNumber(title, true)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
