import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const ascii = /^[\x20-\x7E]*$/;

/**
 * The columns of a terminal that a text takes. string-width is loaded only for a text that needs it: its tables take
 * longer to set up than many a command runs.
 */
export function widthOfText(text: string): number {
  if (ascii.test(text)) return text.length;
  const { default: stringWidth } = load('string-width') as typeof import('string-width');
  return stringWidth(text);
}

/** The text where it fits so many columns of a terminal; else what fits of it, with an ellipsis where it is cut. */
export function cutToColumns(text: string, columns: number, at: 'start' | 'end' = 'end'): string {
  if (widthOfText(text) <= columns) return text;
  if (columns < 1) return '';
  const all = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  if (at === 'start') all.reverse();
  let taken = 1;
  const kept = all.findIndex((character) => (taken += widthOfText(character)) > columns);
  const shown = all.slice(0, kept);
  return at === 'start' ? `…${shown.reverse().join('')}` : `${shown.join('')}…`;
}

/** Text that comes bit by bit, as lines that break between words. A word is held back until it is whole. */
export interface WordWrapper {
  /** What of it can be shown by now. */
  push(text: string): string;
  /** What was held back. */
  end(): string;
}

/** Columns below which lines would be no lines any more. */
const narrowest = 20;
/** What begins an item of a list: the item's further lines stand behind it. */
const marker = /^(?:[-*+•]|\d{1,3}[.)])$/;
const fence = /^[ \t]*(?:```|~~~)/;

/**
 * Breaks lines between words for a terminal with so many columns, asked anew for each word; text goes through as it
 * is where there is no such number. Code and tables of Markdown are left alone: their lines mean something.
 */
export function createWordWrapper(columnsNow: () => number | undefined): WordWrapper {
  let spaces = '';
  let word = '';
  /** The columns that are taken of this line, and that its further lines leave free. */
  let column = 0;
  let indent = 0;
  let isFirst = true;
  /** The line so far, where it is left alone. */
  let alone: string | undefined;
  let isFenced = false;
  let inList = false;

  const widthOf = (): number => {
    const columns = columnsNow() ?? 0;
    // Where a terminal breaks lines itself, at its last column, an empty line may come of it.
    return columns < narrowest ? Infinity : columns - 1;
  };
  const place = (): string => {
    const width = widthOf();
    const length = widthOfText(word);
    const breaks = !isFirst && column + spaces.length + length > width;
    const before = breaks ? `\n${' '.repeat(indent)}` : spaces;
    column = (breaks ? indent : column + spaces.length) + length;
    if (isFirst) {
      const isItem = marker.test(word);
      inList = isItem || (inList && spaces !== '');
      indent = spaces.length + (isItem ? length + 1 : 0);
      if (indent > width / 2) indent = 0;
    }
    isFirst = false;
    const placed = before + word;
    spaces = '';
    word = '';
    return placed;
  };
  const endLine = (): string => {
    if (alone !== undefined && fence.test(alone)) isFenced = !isFenced;
    alone = isFenced ? '' : undefined;
    spaces = '';
    column = 0;
    indent = 0;
    isFirst = true;
    return '\n';
  };
  const isAlone = (): boolean =>
    word.startsWith('|') || fence.test(word) || (!inList && /^(?: {4}|\t)/.test(spaces));

  const take = (character: string): string => {
    if (character === '\n') return (word === '' ? '' : place()) + endLine();
    if (alone !== undefined) {
      // Its beginning tells whether it is the end of the code.
      if (alone.length < 80) alone += character;
      return character;
    }
    if (character === ' ' || character === '\t') {
      const placed = word === '' ? '' : place();
      spaces += character;
      return placed;
    }
    word += character;
    if (isFirst && isAlone()) {
      alone = spaces + word;
      spaces = '';
      word = '';
      return alone;
    }
    // What has no spaces, as Chinese has none, is not held back for ever.
    return word.length >= longestWord ? place() : '';
  };
  return {
    push(text) {
      const holds = spaces !== '' || word !== '';
      return widthOf() === Infinity && !holds ? text : Array.from(text, take).join('');
    },
    end: () => (word === '' ? '' : place()),
  };
}

const longestWord = 60;
