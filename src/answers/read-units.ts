import { LRUCache } from 'lru-cache';
import { queryTerms } from '../language/analyze.js';
import { readTitle } from '../platform/text/heading.js';
import { remembering } from '../platform/remember.js';
import { inAnyLanguage } from '../language/packs.js';
import { splitSentences } from '../language/sentences.js';
import type { FoundPassage } from '../search/search-passages.js';
import { isSubject } from './follow-up.js';
import { readWords, type TextWords } from './match-words.js';

/** A quotable part of a passage: a sentence, a list item, a table row, a code block. */
export interface Unit {
  /** The position of the unit in the passage, from 0. */
  position: number;
  text: string;
  words: TextWords;
  /** The title and the last heading above it. */
  above: TextWords;
  /** Its section, identified by the heading. */
  section: Section;
  /** The unit that this one needs to be understood: the introduction of a list, the subject of "it". */
  needs: Unit | undefined;
  /** True when it continues the paragraph or item of the previous unit. */
  continues: boolean;
  /** The list or code directly below that it introduces. */
  brings: Unit[];
  /** The head of a row's table, with its rule line. */
  head: string | undefined;
}

/** The part of a text under one heading: the passage's own, or one inside it. */
export interface Section {
  words: TextWords;
  /** The meaningful words of the heading. */
  telling: readonly TextWords[];
  /** The chapters that it is a part of. */
  chapters: readonly Section[];
}

const sectionNumber = /^[#\s]*(?:\d{1,3}(?:\.\d{1,3}){0,5}\.?\s+)?/;
/** A count says nothing about the things: "The three roles". */
const count = new RegExp(
  String.raw`^(?:\d+|${inAnyLanguage(({ numbers }) => numbers.ofHeadings)})$`,
);
const heading = /^\s*#{1,6}\s/;
const tableRule = /^[\s|:-]*$/;
/** The mark of an item at its beginning. */
export const item = /^\s*(?:[-*+•‣◦–]|\d{1,3}[.)]|[a-z]\))\s/i;
const code = /^\s*(?:```|~~~)/;
/** Beginnings of sentences that refer to the previous one. */
const backward = new RegExp(
  String.raw`^(?:${inAnyLanguage((pack) => pack.ofSentenceBefore)})(?=[\s,])`,
  'i',
);
/** A caption of a picture or table only says that it is there. */
const caption = new RegExp(
  String.raw`^\s*(?:${inAnyLanguage(({ captions }) => captions)})\s+[\dA-Z][\d.\-]*\s*[:.–-]`,
  'i',
);
/** The most characters of a useful quotation of a code block or row. */
const longestQuote = 900;

/** The units of a passage in order, and the words of its title. */
export interface ReadPassage {
  title: TextWords;
  units: readonly Unit[];
}

/**
 * Recently read passages by their text, so that a changed passage is a new one: 2 million characters, about 2,500
 * passages of usual length, in 25 MB. Analysing them is most of the cost of a quoted answer.
 */
const remembered = new LRUCache<string, ReadPassage>({
  maxSize: 2_000_000,
  sizeCalculation: (_, text) => text.length,
});

export function readUnits(passage: Pick<FoundPassage, 'title' | 'body'>): ReadPassage {
  const key = `${passage.title}\n${passage.body}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const read = readAnew(passage);
  remembered.set(key, read);
  return read;
}

function readAnew(passage: Pick<FoundPassage, 'title' | 'body'>): ReadPassage {
  const title = readWords(passage.title);
  let above = title;
  const titled = readSection(passage.title);
  let section = titled;
  let leadIn: Unit | undefined;
  let head: string | undefined;
  /** The first unit of the current item, which names its subject. */
  let inItem: Unit | undefined;
  const units: Unit[] = [];
  const sentences = splitSentences(passage.body);
  for (const [position, { text, start }] of sentences.entries()) {
    if (heading.test(text)) {
      above = readWords(`${passage.title}\n${text}`);
      section = readHeading(text, [titled, ...titled.chapters]);
      leadIn = undefined;
      continue;
    }
    const next = sentences[position + 1]?.text;
    const isRow = text.startsWith('|');
    if (isRow && next !== undefined && tableRule.test(next)) {
      head = `${text}\n${next}`;
      continue;
    }
    if (!isRow) head = undefined;
    if (tableRule.test(text) || caption.test(text) || text.length > longestQuote) continue;
    const dependent = item.test(text) || code.test(text) || isRow;
    const previous = units.at(-1);
    const follows = previous?.position === position - 1;
    const continues =
      follows && !/\n/.test(passage.body.slice(sentences[position - 1]?.end, start));
    const isBackward = follows && backward.test(text);
    // A sentence of an item belongs to the list like the item.
    if (!continues) inItem = undefined;
    const unit: Unit = {
      position,
      text: text.trim(),
      words: readWords(text),
      above,
      section,
      needs: dependent ? leadIn : isBackward ? previous : inItem,
      continues,
      brings: [],
      head: isRow ? (head ?? emptyHead(text)) : undefined,
    };
    units.push(unit);
    if (item.test(text)) inItem = unit;
    const isListed = dependent || inItem !== undefined;
    if (isListed && leadIn !== undefined && lengthOf(leadIn) + text.length <= longestQuote) {
      leadIn.brings.push(unit);
    }
    if (code.test(text)) leadIn = undefined;
    // Code belongs to the text before it, with or without a colon; a list only to text that announces it.
    if (!isListed) leadIn = /:\s*$/.test(text) || code.test(next ?? '') ? unit : undefined;
  }
  return { title, units };
}

export const readSection = remembering((title: string): Section => {
  const { chapters, heading } = readTitle(title);
  return readHeading(
    heading,
    chapters.map((chapter) => readHeading(chapter, [])),
  );
}, 3000);

/** Reads a heading with its number: "### 5.2 Updating". */
function readHeading(heading: string, chapters: readonly Section[]): Section {
  const own = heading.replace(sectionNumber, '');
  const words = queryTerms(own).filter(({ text, isStopWord }) => !isStopWord && !count.test(text));
  const telling = words.filter(({ text }) => !isSubject(text));
  const named = telling.length > 0 ? telling : words;
  return { words: readWords(own), telling: named.map(({ text }) => readWords(text)), chapters };
}

/** A substitute head for a row whose head is in another passage: without a head, Markdown renders no table. */
function emptyHead(row: string): string | undefined {
  const cells = row.trim().split(/(?<!\\)\|/).length - 2;
  if (cells < 1 || !row.trimEnd().endsWith('|')) return undefined;
  return `${'|  '.repeat(cells)}|\n${'| --- '.repeat(cells)}|`;
}

function lengthOf({ text, brings }: Unit): number {
  return brings.reduce((sum, unit) => sum + unit.text.length, text.length);
}
