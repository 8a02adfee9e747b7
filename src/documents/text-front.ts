import { isContentsTitle } from '../sections/titles.js';
import { date, hasPageNumber } from './text-headings.js';
import { lineOf, type Element } from './tree.js';

/**
 * What stands at the beginning of a text and says nothing about its subject: lines about its author and its version,
 * and the list of contents with the numbers of pages that it does not have.
 */

/** `Version: 2.9`, and who wrote it when. */
const about =
  /^\s*(?:version|versión|revision|authors?|autor(?:en|es)?|date|datum|stand|fecha|created|(?:last )?(?:updated?|modified|change)|trans?lat(?:ion|or)|traducción|übersetzung|maintainer|copyright|licen[cs]e|lizenz|licencia|e-?mail|homepage|url)\s*:\s+\S/i;
const copyright = /^\s*(?:©|copyright\b|\(c\))/i;
/** A numbered line that ends with a number. */
const numbered = /^\s*\d{1,2}(?:\.\d{1,2})*\.?\s+\S.*\s\d{1,3}$/;
/** In lines: what is further down is no head. */
const mostOfHead = 12;
/** In lines: fewer are no list of contents. */
const leastEntries = 4;

/** The lines without those about the text itself. */
export function withoutFront(lines: readonly string[]): string[] {
  return withoutContents(withoutAbout(lines));
}

function withoutAbout(lines: readonly string[]): readonly string[] {
  const from = lines.slice(0, mostOfHead).findIndex((line) => about.test(line));
  if (from < 0) return lines;
  let end = from;
  while (about.test(lines[end] ?? '')) end++;
  // A single such line may belong to what is around it.
  if (end - from < 2 || (lines[end] ?? '') !== '') return lines;
  let next = end;
  while (lines[next] === '' && next < lines.length) next++;
  if (copyright.test(lines[next] ?? '')) {
    end = next;
    while ((lines[end] ?? '') !== '') end++;
  }
  return [...lines.slice(0, from), ...lines.slice(end)];
}

/** A paragraph about the text itself: its version, its date, who wrote it, where newer ones are. */
const ofText =
  /^\W*(?:version|v\.? ?\d|revision|release \d|draft|copyright|©|\(?c\) |(?:written |maintained )?by |author|last (?:update|change|modified)|date\b|see (?:https?:|www\.)|\S+@\S+$)/i;
/** In characters: a longer paragraph says more. */
const longestOfText = 160;

/** Takes away what stands between the title of a text and its first chapter if it is only about the text itself. */
export function clearFront(blocks: Element[]): void {
  const isHeading = ({ attributes }: Element) => attributes['look'] !== undefined;
  const from = blocks.findIndex(isHeading);
  const end = blocks.findIndex((block, at) => at > from && isHeading(block));
  const front = from === 0 && end > 0 ? blocks.slice(1, end) : [];
  const isEmpty = front.every((block) => {
    const words = lineOf(block);
    const isOfText = ofText.test(words) || date.test(words);
    return block.name === 'p' && words.length <= longestOfText && isOfText;
  });
  if (isEmpty) blocks.splice(1, front.length);
}

const isEntry = (line: string) => hasPageNumber(line) || numbered.test(line);

function withoutContents(lines: readonly string[]): string[] {
  const title = lines.findIndex((line) => isContentsTitle(line.trim()));
  let end = title + 1;
  let entries = 0;
  for (let at = title + 1; title >= 0 && at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line === '') continue;
    // An entry of several lines has its number in the last one.
    const goesOn = [line, lines[at + 1] ?? ''].some(isEntry);
    if (!goesOn && !/^\s*[-=_~*]{3,}$/.test(line)) break;
    if (!isEntry(line)) continue;
    entries++;
    end = at + 1;
  }
  if (entries < leastEntries) return [...lines];
  return [...lines.slice(0, title), ...lines.slice(end)];
}
