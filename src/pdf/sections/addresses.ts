import type { Line } from '../layout/page.js';
import type { BodyStyle } from './body-style.js';
import { address, isAddress } from './hyphenation.js';

/** In characters. */
const longestAddress = 500;
/** In lines: to look at all of a long paragraph for each of its lines would take quadratic time. */
const mostLines = 50;

/** The last word of a paragraph, which may be an address of several lines. */
function lastWord(all: readonly Line[]): string {
  const lines = all.slice(-mostLines);
  const begins = lines.findLastIndex(({ text }) => text.includes(' ') || address.test(text));
  const text = lines.slice(Math.max(0, begins)).reduce((sum, line) => sum + line.text, '');
  return /\S+$/.exec(text.slice(-longestAddress))?.[0] ?? '';
}

/**
 * True when `line` is the rest of the address with which the paragraph of `lines` ends, or an address alone that goes
 * on with it, however it is set. A listing stands apart, or below a colon.
 */
export function goesOnInAddress(lines: readonly Line[], line: Line, body: BodyStyle): boolean {
  const previous = lines.at(-1);
  if (previous === undefined) return false;
  if (line.page !== previous.page || line.region !== previous.region) return false;
  const size = Math.max(line.size, previous.size);
  const gap = line.y - previous.y;
  if (gap <= 0 || gap > 1.12 * body.leading * size) return false;
  const last = lastWord(lines);
  if (/^\W*(?:https?|ftp):$/.test(last)) return line.text.startsWith('//');
  if (isAddress(last) && /[/&?=_%#]$/.test(last)) return /^[\w%~]/.test(line.text);
  // The end of a name or of a file: "www." and "example.org/a.html", "a." and "pdf", "exam-" and "ple.org".
  const isEnd = line.mono && /^[\w%~/.-]+$/.test(line.text);
  if (isEnd && isAddress(last) && /[.-]$/.test(last)) return true;
  const isAligned = Math.abs(line.x - previous.x) < 0.5 * size;
  const isAlone = isAddress(line.text) && !/\s/.test(line.text);
  return isAlone && !/[:：]$/.test(previous.text) && isAligned;
}

/** True when nothing but an address fills the line to the edge of its column: the rest of it begins the next line. */
export function isCutAddress(line: Line, edge: number): boolean {
  const isFull = line.right > edge - 0.8 * line.size;
  return isFull && /^\S+\w$/.test(line.text) && address.test(line.text);
}
