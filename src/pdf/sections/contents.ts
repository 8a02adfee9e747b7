import type { Line, PageLines } from '../layout/page.js';
import { stripNumber, unspaceLetters } from './titles.js';

/** Dots that lead the eye to a page number, with or without spaces between them. */
const leader = /(?:[.·…_]\s?){4,}\s*(\d{1,4}|[ivxlc]{1,7})?$/;
const endsInNumber = /\s(\d{1,4}|[ivxlc]{1,7})$/;
const contentsTitle =
  /^(table of )?contents$|^inhalt(sverzeichnis)?$|^(tabla de )?contenidos?$|^índice( general| de contenidos)?$|^table des matières$|^目录$|^目次$|^(list of|verzeichnis der|índice de|lista de) (figures|tables|examples|abbildungen|tabellen|beispiele|figuras|tablas|cuadros)$|^(abbildungs|tabellen)verzeichnis$/i;

const indexTitle =
  /^((general|subject|concept|function|command|variable|key|name|author|alphabetical)s? (and (function|variable|name)s? )?)?index$|^(stich|schlag)?wort(verzeichnis|register)$|^(sach|namens|personen)?(register|index)$|^índice (alfabético|analítico|temático|onomástico|de (términos|materias|conceptos|nombres|funciones))$|^索引$/i;
/** `backup, 12, 40–42`: a term and the pages that tell of it. */
const indexEntry =
  /[\p{L}\p{N})"'”’»*\]][,.:]?\s+\d{1,4}([–-]\d{1,4})?(, ?\d{1,4}([–-]\d{1,4})?)*,?$/u;

/** A gap of contents may hold so many lines that do not look like it: a wrapped title, a part's name. */
const tolerance = 4;

function isEntry(line: Line): boolean {
  if (leader.test(line.text)) return true;
  const last = line.segments.at(-1);
  return (
    line.segments.length >= 2 &&
    last !== undefined &&
    /^(\d{1,4}|[ivxlc]{1,7})$/.test(last.text.trim())
  );
}

/** A line of an index: an entry, the letter above its entries, or a list of pages that goes on. */
function isIndexLine(line: Line): boolean {
  const text = line.text.trim();
  return indexEntry.test(text) || leader.test(text) || /^(\p{L}|[\d–, -]+)$/u.test(text);
}

/** The contents end where lines stop ending in page numbers. Returns the index after the last of them. */
function endOfRun(lines: readonly Line[], start: number, belongs: (line: Line) => boolean): number {
  let end = start;
  for (let at = start; at < lines.length && at - end <= tolerance; at++) {
    const line = lines[at];
    if (line === undefined) break;
    // A long title leaves no gap before its page number: such a line counts right below another entry.
    if (belongs(line) || (at === end && end > start && endsInNumber.test(line.text))) end = at + 1;
  }
  return end;
}

/**
 * The pages without tables of contents: what comes under such a title and ends in page numbers, and any run of five
 * lines with leader dots; and without indexes of terms, which tell pages and nothing else. A price list has numbers at
 * its line ends too, but neither title nor dots.
 */
export function dropContents(pages: readonly PageLines[]): PageLines[] {
  const lines = pages.flatMap((page) => page.lines);
  const dropped = new Set<Line>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (line === undefined) continue;
    const title = unspaceLetters(stripNumber(line.text, true));
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
