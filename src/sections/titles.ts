import { cleanText } from './clean-text.js';

const chapterWord =
  /^(chapter|part|section|appendix|kapitel|teil|abschnitt|anhang|capítulo|parte|sección|apéndice|anexo|chapitre|capitolo)\s+([\dIVXLC]+(\.\d+)*|[A-Z])\b(?! (?:of|de|del|der|des)\b)[.:)\s–—-]*/i;
const cjkChapter = /^第\s*[\d一二三四五六七八九十]+\s*[章节節部]\s*[.:、]?\s*/;
/** `3.2`, `3.2.1.`, `A.1`: always a number, never part of the title's words. */
const compoundNumber = /^([A-Z]|\d{1,2})(\.\d{1,3})+\.?\s+(?:[–—-]\s+)?/u;
/** `3.2.1Networks`, or `3.2Networks`, but not `2.4GHz`. */
const closeNumber =
  /^\d{1,2}(?:(?:\.\d{1,2}){2,5}\.?(?=\p{Lu}\p{Ll})|\.\d{1,2}\.?(?=\p{Lu}\p{Ll}{4}))/u;
/** `3.`, `B.`, `IV)`, but not the first letter of a name: `E. coli`. */
const simpleNumber = /^(?![A-Z]\.\s+\p{Ll})(\d{1,3}|[A-Z]|[IVXLC]{1,5})[.)]\s+/u;
const bareNumber = /^\d{1,2}\s+(?:[–—]\s+)?(?=\p{L})/u;

/** Closes up letter-spaced words: `C O N T E N T S`. */
export function unspaceLetters(text: string): string {
  return /^\p{L}( \p{L}){3,}$/u.test(text.trim()) ? text.replaceAll(' ', '') : text;
}

/** True when most letters are in words. Music, formulas and diagrams use fonts of their own: `hhh N h`. */
export function hasWords(text: string): boolean {
  const words = unspaceLetters(text).match(/\p{L}+/gu) ?? [];
  const isWord = (word: string) =>
    /\p{Lo}/u.test(word.replace(/[ªº]/g, '')) ||
    (word.length > 1 && !/^[ªº]/.test(word) && !/(\p{L})\1\1/u.test(word.replace(/^[ivx]+$/i, '')));
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  const inWords = words.filter(isWord).reduce((sum, word) => sum + word.length, 0);
  return inWords > 0.5 * letters;
}

/** A heading with a space behind its number, where the print has only a gap. */
export function partNumber(title: string): string {
  return title.replace(closeNumber, '$& ');
}

/** The number of levels in a heading's number: 3 for `3.2.1`, 0 without a number. */
export function numberDepth(title: string): number {
  const match = /^((?:[A-Z]|\d{1,3})(?:\.\d{1,3})*)[.)]?\s+\S/.exec(partNumber(title));
  if (match === null || /^[A-Z]$/.test(match[1] ?? '')) return 0;
  return match[1]?.split('.').length ?? 0;
}

/**
 * A title without its number, which has no meaning outside the document.
 * @param numbered the document numbers its headings: only then is the 3 of `3 Networks` a number and not a count
 */
export function stripNumber(title: string, numbered: boolean): string {
  let text = unspaceLetters(
    partNumber(
      cleanText(title)
        .replace(/\u00ad/g, '')
        .replace(/\s\s+|[^\S ]/g, ' ')
        .trim(),
    ),
  );
  const takeFirst = (...patterns: RegExp[]) => {
    const rests = patterns.map((pattern) => text.replace(pattern, ''));
    text = rests.find((rest) => rest !== text && /[\p{L}\p{N}]/u.test(rest))?.trim() ?? text;
  };
  takeFirst(chapterWord, cjkChapter);
  takeFirst(compoundNumber, simpleNumber, ...(numbered ? [bareNumber] : []));
  // Some documents number their appendices like chapters: "28 Appendix A: Licence".
  takeFirst(chapterWord);
  // Trimmed above, so that most titles need no search for their end.
  return text.endsWith(':') ? text.replace(/[\s:]+$/, '') : text;
}

/** A title without the marks of its footnotes, and of the institution of an author. */
export function withoutMarks(title: string): string {
  return title.replace(/\s?\[\^(?:\d{1,3}|[*†‡§¶]+)\]|\s[ᵃᵇᶜᵈᵉᶠᵍʰ]⁾$/gu, '');
}

/** A normalised title: bookmark and heading differ in numbers, spaces, quotes, accents and hyphens. */
export function titleKey(title: string): string {
  return stripNumber(title, true)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

export const contentsTitle =
  /^(table of |short |brief |summary )?contents$|^(kurzes )?inhalt(sverzeichnis)?$|^(tabla de )?contenidos?$|^índice( general| de contenidos)?$|^table des matières$|^sommario$|^indice( generale)?$|^目录$|^目次$|^(list of|verzeichnis der|índice de|lista de) (figures|tables|examples|abbildungen|tabellen|beispiele|figuras|tablas|cuadros)$|^(abbildungs|tabellen)verzeichnis$/i;

export const indexTitle =
  /^((general|subject|concept|function|command|variable|key|name|author|alphabetical)s? (and (function|variable|name)s? )?)?index$|^(stich|schlag)?wort(verzeichnis|register)$|^(sach|namens|personen)?(register|index)$|^índice (alfabético|analítico|temático|onomástico|de (términos|materias|conceptos|nombres|funciones))$|^索引$/i;

export function isContentsTitle(text: string): boolean {
  const title = unspaceLetters(stripNumber(text, true));
  return contentsTitle.test(title) || indexTitle.test(title);
}
