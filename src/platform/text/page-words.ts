import { withoutEscapes } from './escape-markdown.js';
import { onOneLine } from './shorten.js';

/** The most words that are looked for in a page. */
const mostWords = 16;
/** The most characters of them. Databases and addresses take no more than some thousand. */
const longest = 300;
/** A single word may stand anywhere in the page. */
const fewestWords = 2;
/** So many beginnings of a text's lines are worth a search. */
const mostStretches = 4;
/** Lines that no page shows: fences, the rules of tables, what begins a footnote. */
const unshown = /^(?:`{3,}|~{3,}|[-*_|: ]*$|\[\^[^\]]*\]:)/;
const mark = /^[ \t]*(?:[-*+>]|\d+[.)])[ \t]+/gm;
/** What a page may show in another way: signs of footnotes, quotation marks, what follows a term, cells, boxes to tick. */
const uncertain = / ?\[\^[^[\]\s]*\] ?|[“”]|: (?=(?:\S+ ){3})| \| |^\||\|$|\[[ x]\] /;

/**
 * The words with which the first lines of a text begin, as the page has them from which it was read. A browser looks for
 * words within single blocks of a page. So they are those of a line or cell, without what only Markdown has. None for a
 * text that begins with a heading, which has an address of its own.
 */
export function pageWordsOf(markdown: string): string[] {
  if (/^\s*#{1,6}\s/.test(markdown)) return [];
  const isCode = /^\s*(?:`{3,}|~{3,})/.test(markdown);
  const lines = markdown
    .split('\n')
    .map(onOneLine)
    .filter((line) => !unshown.test(line));
  return lines
    .slice(0, mostStretches)
    .flatMap((line) => (isCode ? line : withoutMarks(line).split(uncertain)))
    .map(firstWords)
    .filter(({ length }) => length >= fewestWords)
    .slice(0, mostStretches)
    .map((words) => words.join(' '));
}

function firstWords(stretch: string): string[] {
  let length = 0;
  return stretch
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, mostWords)
    .filter((word) => (length += word.length + 1) <= longest);
}

/** True if a page that has the text has these words in it. */
export function hasPageWords(markdown: string, words: string): boolean {
  return withoutMarks(markdown).replaceAll(/\s+/g, ' ').toLowerCase().includes(words.toLowerCase());
}

function withoutMarks(markdown: string): string {
  return markdown
    .replaceAll(mark, '')
    .replaceAll(/\[([^[\]]*)\]\([^\s()]*\)/g, '$1')
    .split(/(`+[^`]*`+)/)
    .map((part) => (part.startsWith('`') ? part.replaceAll('`', '') : withoutEscapes(part)))
    .join('');
}

/** The text directive of an address, by which a browser opens a page at these words: `text=Hold%20the%20button`. */
export function textDirective(words: string): string {
  // Dashes have a meaning in it. An imported text may contain halves of characters, which have no encoding.
  return `text=${encodeURIComponent(Buffer.from(words).toString()).replaceAll('-', '%2D')}`;
}
