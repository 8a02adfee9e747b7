import type { Line, PageLines } from '../layout/page.js';
import type { Chapter } from '../../sections/chapter.js';
import {
  contentsTitle,
  indexTitle,
  isContentsTitle,
  stripNumber,
  unspaceLetters,
} from '../../sections/titles.js';

/** Leader dots before a page number, with or without spaces between them. */
const leader = /(?:[.·…_]\s?){4,}\s*(\d{1,4}|[ivxlc]{1,7})?$/;
/** Behind a long title there is no room for more than two dots. */
const shortLeader = /\.\s?\.\s?\d{1,4}$/;
const endsInNumber = /\s(\d{1,4}|[ivxlc]{1,7})$/;
/** An index entry: a term and its pages, `backup, 12, 40–42`. */
const indexEntry =
  /[\p{L}\p{N})"'”’»*\]][,.:]?\s+\d{1,4}([–-]\d{1,4})?(, ?\d{1,4}([–-]\d{1,4})?)*,?$/u;

/** In characters: no title of contents or an index is longer, not even with spaces between its letters. */
const longestTitle = 80;

/** In letters: a shorter name may be a part of any word. */
const shortestName = 4;
/** Contents without page numbers name other sections in more than this share of their letters. */
const named = 0.6;

/** Contents may be interrupted by this many other lines: a wrapped title, a part's name. */
const tolerance = 4;

function isEntry(line: Line): boolean {
  if (leader.test(line.text) || shortLeader.test(line.text)) return true;
  const last = line.segments.at(-1);
  return (
    line.segments.length >= 2 &&
    last !== undefined &&
    /^(\d{1,4}|[ivxlc]{1,7})$/.test(last.text.trim())
  );
}

/** A line of an index: an entry, the letter above entries, or a continued list of pages. */
function isIndexLine(line: Line): boolean {
  const text = line.text.trim();
  return indexEntry.test(text) || leader.test(text) || /^(\p{L}|[\d–, -]+)$/u.test(text);
}

/** Finds the end of contents, where lines no longer end in page numbers. Returns the index after the last entry. */
function endOfRun(lines: readonly Line[], start: number, belongs: (line: Line) => boolean): number {
  let end = start;
  for (let at = start; at < lines.length && at - end <= tolerance; at++) {
    const line = lines[at];
    if (line === undefined) break;
    // A long title leaves no gap before its page number. Such a line counts directly below another entry.
    if (belongs(line) || (at === end && end > start && endsInNumber.test(line.text))) end = at + 1;
  }
  return end;
}

/**
 * Removes tables of contents (lines below such a title that end in page numbers, and runs of five lines with leader
 * dots) and indexes of terms. A price list also has numbers at its line ends, but neither the title nor the dots.
 */
export function dropContents(pages: readonly PageLines[]): PageLines[] {
  const lines = pages.flatMap((page) => page.lines);
  const dropped = new Set<Line>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (line === undefined) continue;
    const isShort = line.text.length <= longestTitle;
    const title = isShort ? unspaceLetters(stripNumber(line.text, true)) : '';
    const ofTerms = indexTitle.test(title);
    const titled = ofTerms || contentsTitle.test(title);
    const dotted = leader.test(line.text);
    if (!titled && !dotted) continue;
    const belongs = ofTerms ? isIndexLine : isEntry;
    const end = endOfRun(lines, titled ? at + 1 : at, belongs);
    const run = lines.slice(titled ? at + 1 : at, end);
    const entries = run.filter(belongs).length;
    const isContents = titled
      ? entries >= 2 && entries >= 0.4 * run.length
      : run.filter((entry) => leader.test(entry.text)).length >= 5 && entries >= 0.5 * run.length;
    if (!isContents) continue;
    for (const entry of lines.slice(at, end)) dropped.add(entry);
    at = end - 1;
  }
  if (dropped.size === 0) return [...pages];
  return pages.map((page) => ({ ...page, lines: page.lines.filter((line) => !dropped.has(line)) }));
}

/** Leaves out contents without page numbers: chapters under such a title that consist of the titles of others. */
export function dropListsOfTitles(chapters: readonly Chapter[]): Chapter[] {
  const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}]+/gu, '');
  const names = [...new Set(chapters.map(({ path }) => lettersOf(path.at(-1) ?? '')))]
    .filter((name) => name.length >= shortestName)
    .sort((a, b) => b.length - a.length);
  return chapters.filter(({ path, blocks }) => {
    if (blocks.length === 0 || !isContentsTitle(path.at(-1) ?? '')) return true;
    const all = lettersOf(blocks.map(({ text }) => text).join(' '));
    const rest = names.reduce((text, name) => text.replaceAll(name, ''), all);
    return rest.length > (1 - named) * all.length;
  });
}
