import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const ascii = /^[\x20-\x7E]*$/;

/**
 * The terminal columns that a text takes. string-width is loaded only when needed: setting up its tables takes longer
 * than many commands run.
 */
export function widthOfText(text: string): number {
  if (ascii.test(text)) return text.length;
  const { default: stringWidth } = load('string-width') as typeof import('string-width');
  return stringWidth(text);
}

/** The text, cut with an ellipsis if it is wider than this many terminal columns: between words where one ends near. */
export function cutToColumns(text: string, columns: number, at: 'start' | 'end' = 'end'): string {
  if (widthOfText(text) <= columns) return text;
  if (columns < 1) return '';
  const all = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  if (at === 'start') all.reverse();
  let taken = 1;
  const kept = all.findIndex((character) => (taken += widthOfText(character)) > columns);
  const shown = all.slice(0, kept);
  const between = at === 'end' && all[kept] !== ' ' ? shown.lastIndexOf(' ') : -1;
  if (between > shown.length * 0.7) shown.length = between;
  return at === 'start' ? `…${shown.reverse().join('')}` : `${shown.join('')}…`;
}

/** Lines of at most `room` columns, broken between words. A longer path or command stays whole for copying. */
export function wrapWords(text: string, room: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of joinCommands(text).split(' ').map(separateCommands)) {
    if (line !== '' && widthOfText(line) + 1 + widthOfText(word) > room) {
      lines.push(line);
      line = word;
    } else line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** Wraps text that arrives in pieces into lines that break between words. A word is held back until it is complete. */
export interface WordWrapper {
  /** The text that can be shown now. */
  push(text: string): string;
  /** Returns the text that was held back. */
  end(): string;
}

/** Below this number of columns, wrapping is pointless. */
const narrowest = 20;
/** The first word of a list item. Further lines of the item are indented. */
const marker = /^(?:[-*+•]|\d{1,3}[.)])$/;
const fence = /^[ \t]*(?:```|~~~)/;

/**
 * Breaks lines between words for a terminal. The column count is read again for each word; without one, text passes
 * through unchanged. Markdown code and tables pass through unchanged, because their line breaks have a meaning.
 */
export function createWordWrapper(columnsNow: () => number | undefined): WordWrapper {
  return wrapperOf(columnsNow, longestWord);
}

/** A complete text, wrapped in the same way. A longer path or command stays whole for copying. */
export function wrapText(text: string, columns: number | undefined): string {
  const wrapper = wrapperOf(() => columns, Infinity);
  return separateCommands(wrapper.push(joinCommands(text)) + wrapper.end());
}

function wrapperOf(columnsNow: () => number | undefined, longest: number): WordWrapper {
  let spaces = '';
  let word = '';
  /** Columns already used on this line, and the indent of its further lines. */
  let column = 0;
  let indent = 0;
  let isFirst = true;
  /** The line so far, when it passes through unchanged. */
  let alone: string | undefined;
  let isFenced = false;
  let inList = false;

  const widthOf = (): number => {
    const columns = columnsNow() ?? 0;
    // A terminal that wraps at its last column by itself can add an empty line.
    return columns < narrowest ? Infinity : columns - 1;
  };
  const place = (): string => {
    const width = widthOf();
    const length = widthOfText(separateCommands(word));
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
      // The first characters of the line show whether it ends the code block.
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
    // Text without spaces, such as Chinese, must not be held back without limit.
    return word.length >= longest ? place() : '';
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

/** Stands for a blank inside a command. printable() lets no such character through. */
const glue = '\0';

const commands =
  /(?<=^|\n|: |\()(?:sudo |[A-Z_]+=\S+ )*(?:assistant|chmod|chown|curl|docker|journalctl|kill|mv|npm|npx|ollama|systemctl|timedatectl) [^\n]+?(?=$|\n|[.,;)](?:\s|$)|\)[.,]|: | or assistant )/g;

/** Joins the words of each command in a text, so that a line breaks before it and never inside it. */
function joinCommands(text: string): string {
  return text.replaceAll(commands, (command) => command.replaceAll(' ', glue));
}

/** Takes back what joinCommands did. */
function separateCommands(text: string): string {
  return text.replaceAll(glue, ' ');
}
