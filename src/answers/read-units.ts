import { LRUCache } from 'lru-cache';
import { queryTerms } from '../language/analyze.js';
import { readTitle } from '../platform/text/heading.js';
import { remembering } from '../language/remember.js';
import { splitSentences } from '../language/sentences.js';
import type { FoundPassage } from '../search/search-passages.js';
import { isSubject } from './follow-up.js';
import { readWords, type TextWords } from './match-words.js';

/** What can be quoted of a passage: a sentence, an item of a list, a row of a table, a block of code. */
export interface Unit {
  /** Of the unit in the passage, from 0. */
  position: number;
  text: string;
  words: TextWords;
  /** The title, and the last heading before it: what it is about. */
  above: TextWords;
  /** The section it stands in, by its heading alone. */
  section: Section;
  /** The unit without which this one is not understood: the lead-in of a list, the subject of "it". */
  needs: Unit | undefined;
  /** Whether it stands in one paragraph or item with the unit before it. */
  continues: boolean;
  /** What it leads in: the list, or the code, directly below it. */
  brings: Unit[];
  /** The head of a row's table, with its rule. */
  head: string | undefined;
}

/** What stands under a heading: that of the passage itself, or one within it. */
export interface Section {
  words: TextWords;
  /** Each word of the heading that tells something. */
  telling: readonly TextWords[];
  /** The chapters that it is a part of. */
  chapters: readonly Section[];
}

const sectionNumber = /^[#\s]*(?:\d{1,3}(?:\.\d{1,3}){0,5}\.?\s+)?/;
/** How many there are tells nothing of what they are: "The three roles". */
const count =
  /^(?:\d+|two|three|four|five|six|seven|dos|tres|cuatro|cinco|seis|siete|zwei|drei|vier|fünf|sechs|sieben)$/;
const heading = /^\s*#{1,6}\s/;
const tableRule = /^[\s|:-]*$/;
const item = /^\s*(?:[-*+•‣◦–]|\d{1,3}[.)]|[a-z]\))\s/i;
const code = /^\s*(?:```|~~~)/;
/** Beginnings of sentences that speak of what the one before names. */
const backward =
  /^(?:it|its|they|their|them|this|these|that|those|he|she|his|her|such|then|there|thus|therefore|however|also|este|esta|estos|estas|esto|ese|esa|esos|esas|eso|él|ella|ellos|ellas|su|sus|así|además|también|por tanto|sin embargo|er|sie|es|dies|diese|dieser|dieses|diesen|diesem|ihr|ihre|sein|seine|dafür|dabei|dazu|daher|damit|danach|dann|außerdem|auch|jedoch|so (?:does|do|is|are|can|will|has|have)|neither|nor|both|the same|instead|otherwise|likewise|lo mismo|tampoco|ambos|ambas|en su lugar|de lo contrario|por eso|das (?:ist|gilt|geht|heißt|bedeutet|kann|wird|hat|macht|muss|sind)|hier(?:bei|für|zu|mit|durch)|ebenso|beide|beides|sonst|stattdessen|deshalb|deswegen)\b(?=[\s,])/i;
/** What stands below a picture or a table says only that it is there. */
const caption =
  /^\s*(?:figure|fig\.|table|listing|figura|tabla|abbildung|abb\.|tabelle|bild)\s+[\dA-Z][\d.\-]*\s*[:.–-]/i;
/** Characters of a block of code or a row beyond which quoting it answers nothing. */
const longestQuote = 900;

/** The units of a passage in their order, and the words of its title. */
export interface ReadPassage {
  title: TextWords;
  units: readonly Unit[];
}

/**
 * Passages that were read lately, by their text, so that a passage that changes is another: 2 million characters, some
 * 2,500 passages of the usual length, in 25 MB. Analysing them is most of what a quoted answer costs.
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
  /** The beginning of the item that is read: what it is about stands there. */
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
    // A sentence of an item belongs to the list as the item does.
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
    // Code belongs to what stands before it, colon or not; a list only to what announces it.
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

/** A heading has its number: "### 5.2 Updating". */
function readHeading(heading: string, chapters: readonly Section[]): Section {
  const own = heading.replace(sectionNumber, '');
  const words = queryTerms(own).filter(({ text, isStopWord }) => !isStopWord && !count.test(text));
  const telling = words.filter(({ text }) => !isSubject(text));
  const named = telling.length > 0 ? telling : words;
  return { words: readWords(own), telling: named.map(({ text }) => readWords(text)), chapters };
}

/** The head of a row whose own stands in another passage: without one, Markdown renders no table. */
function emptyHead(row: string): string | undefined {
  const cells = row.trim().split(/(?<!\\)\|/).length - 2;
  if (cells < 1 || !row.trimEnd().endsWith('|')) return undefined;
  return `${'|  '.repeat(cells)}|\n${'| --- '.repeat(cells)}|`;
}

function lengthOf({ text, brings }: Unit): number {
  return brings.reduce((sum, unit) => sum + unit.text.length, text.length);
}
