import { escapeProse } from '../../platform/text/escape-markdown.js';
import { columnKey, type Line, type RuledTable } from '../layout/page.js';
import { type Block } from '../../sections/block.js';
import type { BodyStyle } from './body-style.js';
import { isDisplayed, isEquationNumber, isFormula } from './formulas.js';
import { writeNote } from './footnotes.js';
import { goesOnInAddress, isCutAddress } from './addresses.js';
import { HangingReferences } from './hanging-references.js';
import { joinLines, type Vocabulary } from './hyphenation.js';
import { renderCode } from './render-code.js';
import { resumeBelow } from './resume-below.js';
import { findShortLines, isBullet, isWordToo, LetterMarks, ListDepth, markerOf } from './lists.js';
import { labelOf } from './block-label.js';
import { isBeside, opensCaption } from './captions.js';
import {
  closesBracket,
  continuesParagraph,
  endsDefinition,
  goesOnBelowFigure,
  goesOnInSentence,
  isBelowItem,
  endsKey,
  isKey,
  isTerm,
  isUnfinished,
  opensHanging,
} from './paragraphs.js';
import type { Column } from './table-columns.js';
import { continuesTable, extendTable, openTable, type OpenTable, renderTable } from './tables.js';

interface Open {
  kind: 'paragraph' | 'item' | 'code' | 'note';
  lines: Line[];
  marker: string;
  /** The term above, if this is its definition. */
  term?: Line;
}

/** True for the number of an empty line in a listing, below the line before it. */
function isEmptyLine(above: Line | undefined, line: Line): boolean {
  const number = /^\d{1,4}(?=\.?$)/.exec(line.text)?.[0];
  const last = /^\d{1,4}(?=\s|$)/.exec(above?.text ?? '')?.[0];
  return number !== undefined && last !== undefined && Number(number) === Number(last) + 1;
}

/** Builds blocks from the lines of a document, one line after the other. */
export class BlockBuilder {
  readonly blocks: Block[] = [];
  #open: Open | undefined;
  #table: OpenTable | undefined;
  /** The caption of a figure that interrupts the open block, which may go on below it. */
  #caption: Line[] = [];
  #captions: Block[] = [];
  /** Footnotes behind the open block, which may go on over the page. */
  #notes: Block[] = [];
  readonly #references: HangingReferences;
  #page: readonly Line[] = [];
  readonly #depth = new ListDepth();
  #letters = new LetterMarks();
  /** The lines of lists without marks. */
  #short: ReadonlySet<Line> = new Set();
  /** The last lines begin with keys: each is an entry. */
  #keyed = false;
  /** The right edge of the running text in each column of each page. */
  readonly #rights = new Map<string, number>();

  constructor(
    readonly body: BodyStyle,
    readonly vocabulary: Vocabulary,
    /** The left edge of each column. */
    readonly lefts: ReadonlyMap<string, number>,
  ) {
    this.#references = new HangingReferences(body);
  }

  /** Call it for each page before its lines are added. */
  beginPage(lines: readonly Line[]): void {
    this.#page = lines;
    for (const line of lines) {
      if (line.mono || line.table !== undefined) continue;
      this.#rights.set(
        columnKey(line),
        Math.max(line.right, this.#rights.get(columnKey(line)) ?? 0),
      );
    }
    this.#short = findShortLines(lines, (line) => this.#rightOf(line));
  }

  #rightOf(line: Line): number {
    return this.#rights.get(columnKey(line)) ?? line.right;
  }

  #leftOf(lines: readonly Line[]): number {
    const lefts = lines.map((line) => line.x - (this.lefts.get(columnKey(line)) ?? line.x));
    return Math.min(...lefts);
  }

  /** @param next the next line on the page */
  add(line: Line, next?: Line): void {
    if (this.#open !== undefined && this.#takesCaption(this.#open, line, next)) return;
    if (this.#takesReference(line, next)) return;
    if (isDisplayed(line)) {
      this.#begin('paragraph', line, '');
      this.close();
      return;
    }
    if (this.#endsFormula(line)) return;
    const open = this.#open;
    if (open?.kind === 'code' && isEmptyLine(open.lines.at(-1), line)) {
      open.lines.push({ ...line, text: line.text.replace('.', '') });
      return;
    }
    const isListing = line.mono && !/^[•●▪■]\s/u.test(line.text);
    const isQuoted =
      open !== undefined &&
      open.kind !== 'code' &&
      (goesOnInAddress(open.lines, line, this.body) ||
        (next?.mono !== true &&
          !this.#isTermBelow(open.lines, line, next) &&
          goesOnInSentence(open.lines, line, this.body, this.#rightOf(line))));
    if (isListing && !isQuoted) {
      if (open?.kind === 'code') open.lines.push(line);
      else this.#begin('code', line, '');
      return;
    }
    if (isListing && open !== undefined) {
      open.lines.push(line);
      return;
    }
    const mark = this.#letters.settle(markerOf(line));
    const above = open?.lines.at(-1);
    const isWord =
      open?.kind === 'paragraph' &&
      (closesBracket(above?.text ?? '', mark) ||
        (isWordToo(mark) && goesOnInSentence(open.lines, line, this.body, this.#rightOf(line))));
    const marker = isWord ? '' : mark;
    const edge = this.#rightOf(line);
    const wasKeyed = this.#keyed;
    this.#keyed =
      open?.kind === 'paragraph' &&
      isKey(open.lines, line) &&
      (wasKeyed || endsKey(open.lines, line, edge));
    const isNext =
      (open?.term !== undefined && endsDefinition(open.term, open.lines, line, edge)) ||
      (open?.kind === 'item' && isBelowItem(open.lines, line, next, edge)) ||
      (open?.kind === 'paragraph' && above !== undefined && opensHanging(above, line, next, edge));
    if (
      marker === '' &&
      open !== undefined &&
      open.kind !== 'code' &&
      !isNext &&
      !this.#keyed &&
      !this.#endsShort(open.lines, line) &&
      continuesParagraph(open.lines, line, this.body, open.kind === 'item', edge)
    ) {
      open.lines.push(line);
      return;
    }
    const term = marker === '' ? this.#termAbove(line) : undefined;
    this.#begin(marker === '' ? 'paragraph' : 'item', line, marker, term);
  }

  /** True for a line below an entry of a list without marks that is one itself, or may be a longer one. */
  #endsShort(lines: readonly Line[], line: Line): boolean {
    const last = lines.at(-1);
    return last !== undefined && this.#short.has(last) && /^\p{Lu}/u.test(line.text);
  }

  /** Adds a line to a list of references without labels. */
  #takesReference(line: Line, next: Line | undefined): boolean {
    const open = this.#open?.kind === 'paragraph' ? this.#open.lines : [];
    const part = this.#references.partOf(line, next, open, this.#page);
    if (part === 'rest') this.#open?.lines.push(line);
    else if (part === 'first') this.#begin('paragraph', line, '');
    return part !== undefined;
  }

  /** True for a term left of the paragraph above it, with its definition below. */
  #isTermBelow(lines: readonly Line[], line: Line, next: Line | undefined): boolean {
    const above = lines.at(-1);
    if (next === undefined || above === undefined || /[.,;]$/.test(line.text)) return false;
    if (line.x > above.x - 0.8 * line.size) return false;
    return columnKey(next) === columnKey(line) && isTerm(line, next, this.#rightOf(line));
  }

  /** Adds the number of an equation to it, where it stands below the equation at the edge of the column. */
  #endsFormula(line: Line): boolean {
    const isAtEdge = line.right > this.#rightOf(line) - line.size;
    const previous = this.#open?.lines.at(-1);
    if (!isAtEdge || !isEquationNumber(line.text) || previous === undefined) return false;
    if (!isFormula(previous.text) || columnKey(previous) !== columnKey(line)) return false;
    this.#open?.lines.push(line);
    this.close();
    return true;
  }

  /** The open paragraph, if it is a term and `line` begins its definition. */
  #termAbove(line: Line): Line | undefined {
    const [term, ...others] = this.#open?.kind === 'paragraph' ? this.#open.lines : [];
    if (term === undefined || others.length > 0 || /[.!?]$/.test(term.text)) return undefined;
    const isBelow = columnKey(term) === columnKey(line) && line.y > term.y;
    return isBelow && isTerm(term, line, this.#rightOf(line)) ? term : undefined;
  }

  /** Adds a footnote behind the block that is open. */
  addNote(lines: readonly Line[]): void {
    const [first] = lines;
    const last = lines.at(-1);
    if (first === undefined || last === undefined) return;
    const pages = { pageFrom: first.page, pageTo: last.page };
    const text = writeNote(escapeProse(this.#wordsOf(lines)));
    // Nothing refers to a note without a mark. It stays with the text that it parts.
    if (/^[\p{L}(“"„]/u.test(first.text))
      this.#captions.push({ kind: 'paragraph', text, ...pages });
    else this.#notes.push({ kind: 'note', text, ...pages });
  }

  #wordsOf(lines: readonly Line[]): string {
    let text = '';
    for (const [at, line] of lines.entries()) {
      const above = lines[at - 1];
      const isCut = above !== undefined && isCutAddress(above, this.#rightOf(above));
      text = isCut ? text + line.text : joinLines(text, line.text, this.vocabulary);
    }
    return text;
  }

  /**
   * Keeps a caption in the middle of a sentence, or between the pages or columns of a listing, for the end of its block, which goes
   * on below it.
   */
  #takesCaption(open: Open, line: Line, next: Line | undefined): boolean {
    const previous = open.lines.at(-1);
    if (previous === undefined || open.kind === 'note') return false;
    const last = this.#caption.at(-1);
    const isBelow = last?.region === line.region && !isBeside(last, line) && markerOf(line) === '';
    if (isBelow && continuesParagraph(this.#caption, line, this.body, false, this.#rightOf(line))) {
      this.#caption.push(line);
      return true;
    }
    const isCode = open.kind === 'code';
    // A caption directly below the code is its own.
    const isApart = columnKey(line) !== columnKey(previous);
    const isOpen = isCode ? isApart : isUnfinished(previous);
    if (isOpen && opensCaption(line, last ?? previous, next, this.body)) {
      this.#endCaption();
      this.#caption = [line];
      return true;
    }
    if (last === undefined) return false;
    const goesOn = isCode
      ? line.mono
      : markerOf(line) === '' && !line.mono && goesOnBelowFigure(previous, line);
    this.#endCaption();
    if (goesOn) open.lines.push(line);
    else this.close();
    return goesOn;
  }

  /** Where the open block goes on below what floats at the top of the next column; else `at`. */
  resumeBelow(lines: readonly Line[], at: number, barrier: ReadonlySet<Line>): number {
    const open = this.#open;
    const canGoOn = open?.kind === 'paragraph' || open?.kind === 'item';
    if (!canGoOn || this.#caption.length > 0) return at;
    return resumeBelow(open.lines, lines, at, barrier, this.body);
  }

  /** Keeps tables and figures for the end of the open block. */
  addFloats(blocks: readonly Block[]): void {
    for (const block of blocks) this.#captions.push(block);
  }

  #endCaption(): void {
    const [first] = this.#caption;
    if (first === undefined) return;
    const text = escapeProse(this.#wordsOf(this.#caption).replaceAll('\u00ad', ''));
    this.#captions.push({ kind: 'paragraph', text, pageFrom: first.page, pageTo: first.page });
    this.#caption = [];
  }

  push(block: Block): void {
    this.close();
    if (block.kind === 'heading') {
      this.#references.beginSection(block.text);
      this.#letters = new LetterMarks();
    }
    this.#depth.reset();
    this.blocks.push(block);
  }

  /** Adds a table drawn by rules. A table that continues over pages stays one. */
  addTable(table: RuledTable, page: number): void {
    const open = this.#table;
    if (open !== undefined && continuesTable(open, table, page)) {
      extendTable(open, table, page, this.vocabulary);
      return;
    }
    this.close();
    this.#depth.reset();
    this.#table = openTable(table, page, this.vocabulary);
  }

  /** The columns of the table with rules that the page before ends with; undefined without. */
  openColumns(page: number): Column[] | undefined {
    if (this.#table?.pageTo !== page - 1) return undefined;
    const { edges } = this.#table;
    return edges.slice(1).map((right, at) => ({ x: edges[at] ?? right, right }));
  }

  /** Adds rows without rules of their own to the open table. */
  extendTable(rows: readonly string[][], page: number): void {
    if (this.#table === undefined) return;
    for (const row of rows) this.#table.rows.push(row);
    this.#table.pageTo = page;
  }

  #begin(kind: Open['kind'], line: Line, marker: string, term?: Line): void {
    // A command or listing stands directly below the words that lead to it, not below what floats between them.
    const leads = kind === 'code' && this.#open !== undefined && this.#open.kind !== 'code';
    const above = this.#open?.lines.at(-1)?.text ?? '';
    if (leads && !/[.!?]["'”’»)\]]*$/.test(above)) {
      this.#endCaption();
      const floats = this.#captions.splice(0);
      this.close();
      this.#captions = floats;
    } else this.close();
    this.#open = { kind, lines: [line], marker, ...(term === undefined ? {} : { term }) };
  }

  close(): void {
    const table = this.#table;
    this.#table = undefined;
    if (table !== undefined) {
      const { rows, headed, pageFrom, pageTo } = table;
      this.blocks.push({ kind: 'table', text: renderTable(rows, headed), pageFrom, pageTo });
    }
    const open = this.#open;
    this.#open = undefined;
    const first = open?.lines[0];
    const last = open?.lines.at(-1);
    if (open !== undefined && first !== undefined && last !== undefined) {
      const text = this.#render(open, first);
      const label = labelOf(open.lines, open.marker, this.body);
      this.blocks.push({
        kind: open.kind,
        text,
        pageFrom: first.page,
        pageTo: last.page,
        left: this.#leftOf(open.lines),
        ...(label === undefined ? {} : { label }),
      });
    }
    this.#endCaption();
    for (const block of [...this.#captions, ...this.#notes]) this.blocks.push(block);
    this.#captions = [];
    this.#notes = [];
  }

  #render(open: Open, first: Line): string {
    if (open.kind === 'code') return renderCode(open.lines, this.body.leading, this.lefts);
    const text = this.#wordsOf(open.lines);
    if (open.kind !== 'item') {
      this.#depth.addParagraph(this.#leftOf(open.lines));
      return escapeProse(text.replaceAll('\u00ad', ''));
    }
    const indent = '  '.repeat(this.#depth.of(first, this.#leftOf([first])));
    const rest = text.slice(open.marker.length).trim().replaceAll('\u00ad', '');
    return `${indent}${isBullet(open.marker) ? '-' : open.marker} ${escapeProse(rest)}`;
  }
}
