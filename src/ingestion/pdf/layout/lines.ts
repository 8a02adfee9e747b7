import { cleanText, mendListing } from './clean-text.js';
import type { Line, Segment, Span, TextRun } from './page.js';

/** Spaces narrower than this many ems are kerning. */
const wordGap = 0.14;
/** From this many ems on, a gap sets a cell apart. */
const cellGap = 1;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

interface Piece {
  text: string;
  run: TextRun;
}

/** Mono text keeps its columns: a gap becomes as many spaces as characters fit into it. */
function spacesBetween(gap: number, previous: TextRun, run: TextRun): string {
  const size = Math.min(previous.size, run.size);
  if (previous.mono && run.mono) {
    const advance = previous.width / Math.max(1, previous.text.length);
    return ' '.repeat(
      Math.max(run.spaced || gap > wordGap * size ? 1 : 0, Math.round(gap / Math.max(1, advance))),
    );
  }
  return run.spaced || gap > wordGap * size ? ' ' : '';
}

function joinPieces(pieces: readonly Piece[]): Segment[] {
  const segments: Segment[] = [];
  let previous: TextRun | undefined;
  for (const { text, run } of pieces) {
    const last = segments.at(-1);
    const gap = previous === undefined ? 0 : run.x - (previous.x + previous.width);
    if (
      previous === undefined ||
      last === undefined ||
      gap > cellGap * Math.max(previous.size, run.size)
    ) {
      segments.push({ text, x: run.x, right: run.x + run.width });
    } else {
      const space =
        last.text.endsWith(' ') || text.startsWith(' ') ? '' : spacesBetween(gap, previous, run);
      last.text += space + text;
      last.right = Math.max(last.right, run.x + run.width);
    }
    previous = run;
  }
  return segments;
}

function monoText(pieces: readonly Piece[]): string {
  let text = '';
  let previous: TextRun | undefined;
  for (const piece of pieces) {
    if (previous !== undefined) {
      text += spacesBetween(piece.run.x - (previous.x + previous.width), previous, piece.run);
    }
    text += piece.text;
    previous = piece.run;
  }
  return text;
}

/** The share of the line's letters for which `test` holds. */
function share(pieces: readonly Piece[], test: (run: TextRun) => boolean): number {
  let all = 0;
  let some = 0;
  for (const { text, run } of pieces) {
    all += text.length;
    if (test(run)) some += text.length;
  }
  return all === 0 ? 0 : some / all;
}

/** The size that most of the line's letters have, to a tenth of a point. */
function mainSize(pieces: readonly Piece[]): number {
  const letters = new Map<number, number>();
  let best = 0;
  for (const { text, run } of pieces) {
    const size = Math.round(run.size * 10) / 10;
    letters.set(size, (letters.get(size) ?? 0) + text.length);
    if ((letters.get(size) ?? 0) > (letters.get(best) ?? 0)) best = size;
  }
  return best;
}

function toLine(spans: readonly Span[], page: number, region: number): Line | undefined {
  const pieces = spans
    .flatMap((span) => span.runs)
    .map((run) => ({ text: cleanText(run.text), run }))
    .filter((piece) => piece.text !== '');
  const backwards =
    pieces.filter((piece) => rightToLeft.test(piece.text)).length * 2 > pieces.length;
  pieces.sort((a, b) => a.run.x - b.run.x);
  if (backwards) pieces.reverse();
  const mono = share(pieces, (run) => run.mono) > 0.95;
  const segments = backwards
    ? [{ text: pieces.map((piece) => piece.text).join(' '), x: 0, right: 0 }]
    : joinPieces(pieces);
  const text = mono ? monoText(pieces) : segments.map((segment) => segment.text).join(' ');
  if (text.trim() === '') return undefined;
  const main = spans.reduce((a, b) => (b.right - b.x > a.right - a.x ? b : a));
  return {
    page,
    region,
    text: mono ? mendListing(text.trimEnd()) : text.replace(/ {2,}/g, ' ').trim(),
    x: Math.min(...spans.map((span) => span.x)),
    right: Math.max(...spans.map((span) => span.right)),
    y: main.y,
    size: mainSize(pieces),
    bold: share(pieces, (run) => run.bold) > 0.6,
    italic: share(pieces, (run) => run.italic) > 0.8,
    mono,
    segments,
  };
}

/** Lines of one region from top to bottom: spans on one baseline belong to one line. */
export function collectLines(spans: readonly Span[], page: number, region: number): Line[] {
  const lines: Line[] = [];
  let row: Span[] = [];
  const flush = () => {
    const line = row.length === 0 ? undefined : toLine(row, page, region);
    if (line !== undefined) lines.push(line);
    row = [];
  };
  for (const span of [...spans].sort((a, b) => a.y - b.y || a.sequence - b.sequence)) {
    const last = row.at(-1);
    if (last !== undefined && span.y - (row[0]?.y ?? 0) > 0.35 * Math.min(span.size, last.size))
      flush();
    row.push(span);
  }
  flush();
  return lines;
}
