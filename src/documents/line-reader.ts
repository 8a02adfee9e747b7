import { joinLines, type Vocabulary } from '../pdf/sections/hyphenation.js';
import { partWords, widthOf } from './author-lines.js';
import { makeElement, rawText, type Element, type TreeNode } from './tree.js';

/**
 * Reads the block that begins at the reader's line and moves the reader behind it. Undefined if the block is of another
 * kind; then the reader has not moved. An empty list is a block without text: a rule, a comment.
 */
export type Rule = (reader: LineReader) => Element[] | undefined;

/** How the lines of one format are read. */
export interface Dialect {
  /** Asked in this order for each block. Blocks that no rule takes are paragraphs. */
  rules: readonly Rule[];
  /** True where a paragraph ends above a line, though no empty line is there. */
  endsParagraph(reader: LineReader): boolean;
  /** The words of a paragraph without the signs of the format. */
  inline(text: string): TreeNode[];
  /** The words of the text, which tell those that are broken at the end of a line. */
  vocabulary: Vocabulary;
}

/** In characters: to join listings again and again would take quadratic time. */
const longestJoined = 10_000;
/** In lines: so many tell the kind of a block. */
const enough = 80;
/** Lists that are nested deeper are read as paragraphs. */
const deepest = 12;

/** A place in the lines of a text, which rules read block by block. */
export class LineReader {
  #at = 0;
  /** What was read so far. */
  readonly out: Element[] = [];

  constructor(
    readonly lines: readonly string[],
    readonly dialect: Dialect,
    readonly depth = 0,
    /** In characters: where paragraphs are wrapped. */
    readonly width = widthOf(lines),
  ) {}

  read(): Element[] {
    while (!this.isAtEnd) {
      if (this.line() === '') this.#at++;
      else for (const block of this.readOne()) this.#add(block);
    }
    return this.out;
  }

  /** Listings with nothing but empty lines between them are one. */
  #add(block: Element): void {
    const last = this.out.at(-1);
    const isLong = last?.name === 'pre' && rawText(last).length > longestJoined;
    if (block.name !== 'pre' || last?.name !== 'pre' || isLong) {
      this.out.push(block);
      return;
    }
    const rowsOf = ({ attributes, children }: Element) => {
      const space = ' '.repeat(Number(attributes['margin'] ?? 0));
      return children
        .map(rawText)
        .join('')
        .split('\n')
        .map((row) => space + row);
    };
    this.out[this.out.length - 1] = listing(
      [...rowsOf(last), '', ...rowsOf(block)].map((row) => row.trimEnd()),
    );
  }

  /** The block at the reader's line. */
  readOne(): Element[] {
    for (const rule of this.depth < deepest ? this.dialect.rules : []) {
      const found = rule(this);
      if (found !== undefined) return found;
    }
    return [this.paragraph(this.takeParagraph())];
  }

  get isAtEnd(): boolean {
    return this.#at >= this.lines.length;
  }

  /** The index of the reader's line. */
  get place(): number {
    return this.#at;
  }

  /** The line at the reader's place, or one further on; empty beyond the ends. */
  line(offset = 0): string {
    return this.lines[this.#at + offset] ?? '';
  }

  skip(count = 1): void {
    this.#at += count;
  }

  /** The next lines that pass, at least so many of them. */
  takeWhile(passes: (line: string, at: number) => boolean, least = 0): string[] {
    const rows: string[] = [];
    while (!this.isAtEnd && (rows.length < least || passes(this.line(), rows.length))) {
      rows.push(this.line());
      this.#at++;
    }
    return rows;
  }

  /** The first lines up to an empty one, from the reader's line or one further on: enough to tell what they are. */
  block(offset = 0): readonly string[] {
    const from = this.#at + offset;
    let end = from;
    while (end < from + enough && (this.lines[end] ?? '') !== '') end++;
    return this.lines.slice(from, end);
  }

  /** The number of lines from here to the next one with text; its distance from the reader's line. */
  get nextText(): number {
    let offset = 1;
    while (this.line(offset) === '' && this.#at + offset < this.lines.length) offset++;
    return offset;
  }

  /** The nearest line with text above the reader's. */
  get textAbove(): string {
    let at = this.#at - 1;
    while (at >= 0 && this.lines[at] === '') at--;
    return this.lines[at] ?? '';
  }

  /** The lines from here that are indented by at least `least`, with empty ones between them. */
  takeIndented(least: number): string[] {
    const rows: string[] = [];
    while (!this.isAtEnd) {
      const blank = this.line() === '' ? this.nextText : 0;
      if (indentOf(this.line(blank)) < least) break;
      for (const end = this.#at + blank; this.#at <= end; this.#at++) rows.push(this.line());
    }
    return rows;
  }

  /** The same, up to two empty lines. */
  takeListing(least: number): string[] {
    const rows = this.takeIndented(least);
    const end = rows.findIndex((row, at) => row === '' && rows[at + 1] === '');
    if (end < 0) return rows;
    this.#at -= rows.length - end;
    return rows.slice(0, end);
  }

  takeParagraph(): string[] {
    return this.takeWhile((line) => line !== '' && !this.dialect.endsParagraph(this), 1);
  }

  /** The blocks of lines within a block: an item, a description, a quotation. */
  inner(rows: readonly string[]): Element[] {
    const width = this.width - marginOf(rows);
    return new LineReader(dedent(rows), this.dialect, this.depth + 1, width).read();
  }

  /** A line without the signs of the format. */
  words(text: string): string {
    return this.dialect.inline(text).map(rawText).join('').trim();
  }

  paragraph(rows: readonly string[], name = 'p'): Element {
    return makeElement(name, this.dialect.inline(this.#join(rows)));
  }

  #join(rows: readonly string[]): string {
    const trimmed = rows.map((row) => row.trim());
    const parts = trimmed.map((row, at) => {
      const next = trimmed[at + 1];
      if (next === undefined) return row;
      if (!/\p{L}{2}[-\u2010\u00ad]$/u.test(row)) return `${row} `;
      const joined = joinLines(row, next, this.dialect.vocabulary);
      return joined.slice(0, joined.length - next.length);
    });
    return parts.join('');
  }

  /** Paragraphs and listings that keep the line breaks of the author. `isAnnounced`: they stand below a colon. */
  paragraphs(rows: readonly string[], isAnnounced = false): Element[] {
    return partWords(rows, this.width, isAnnounced).map(({ rows: own, isData }) =>
      isData ? listing(own) : this.paragraph(own),
    );
  }
}

/** A line of signs, as below and above headings. */
export const underline = /^([=\-~^"'`*+#:._])\1{2,}\s*$/;

/** A heading whose level is known when all are: by what it looks like, and how deep it is among those that look alike. */
export function heading(title: string, look: string, depth: number): Element {
  const words = /^([=#*~]+|-{2,})\s+(\S.*?)\s+\1$/.exec(title)?.[2] ?? title;
  return makeElement('h1', [words.replace(/\s*¶$|\s+([=\-*#~_])\1{3,}$/, '')], {
    look,
    depth: String(depth),
  });
}

/** In characters; -1 for an empty line. */
export function indentOf(line: string): number {
  return line.search(/\S/);
}

/** Takes away the margin that all lines have. */
export function dedent(lines: readonly string[]): string[] {
  const margin = marginOf(lines);
  return lines.map((line) => line.slice(margin));
}

function marginOf(lines: readonly string[]): number {
  const margins = lines.filter((line) => line !== '').map(indentOf);
  const margin = margins.reduce((least, one) => Math.min(least, one), 100);
  return margin === 100 ? 0 : margin;
}

/** A listing of these lines, without their margin and the empty lines around them. */
export function listing(rows: readonly string[]): Element {
  const filled = rows.filter((row) => row !== '');
  const margin = filled.reduce((least, row) => Math.min(least, indentOf(row)), Infinity);
  const text = dedent(rows)
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
  return makeElement('pre', [text], { margin: String(margin) });
}
