import { mendListing } from '../../sections/clean-text.js';
import { isBackwards, mendBrackets, mirror, turnStretches } from './direction.js';
import { joinRuns, plainText } from './join-runs.js';
import { greatest, least, type Line, type Span, type TextRun, type RuledTable } from './page.js';

/** The share of the line's letters for which `test` holds. */
function share(runs: readonly TextRun[], test: (run: TextRun) => boolean): number {
  let all = 0;
  let some = 0;
  for (const run of runs) {
    all += run.text.length;
    if (test(run)) some += run.text.length;
  }
  return all === 0 ? 0 : some / all;
}

/** The size of most of the line's letters, in tenths of a point. */
function mainSize(runs: readonly TextRun[]): number {
  const [first] = runs;
  if (first === undefined) return 0;
  if (runs.every((run) => run.size === first.size)) return Math.round(first.size * 10) / 10;
  const letters = new Map<number, number>();
  let best = 0;
  for (const run of runs) {
    const size = Math.round(run.size * 10) / 10;
    letters.set(size, (letters.get(size) ?? 0) + run.text.length);
    if ((letters.get(size) ?? 0) > (letters.get(best) ?? 0)) best = size;
  }
  return best;
}

/** Line numbers in the margin of a listing often use another font. */
function isListing(runs: readonly TextRun[]): boolean {
  const [first] = runs;
  const numbered = runs.length > 1 && first !== undefined && /^\d{1,4}$/.test(first.text);
  // A prompt in the type of the text, before the command.
  const start = runs.findIndex(({ text }) => !/^[$%>\s]+$/.test(text));
  const isPrompt = start > 0 && runs[0]?.mono === false && runs[start]?.mono === true;
  const bare = isPrompt ? runs.slice(start) : numbered ? runs.slice(1) : runs;
  // An arrow behind a line of a program, which its author points at or goes on below.
  const isArrow = bare.length > 1 && /^[←→↩↪↵⏎]+$/u.test(bare.at(-1)?.text ?? '');
  const code = isArrow ? bare.slice(0, -1) : bare;
  return share(code, (run) => run.mono) > 0.95 || isSyntax(code);
}

/** The syntax of a command: monospaced, with arguments in italics. In a sentence, other type or a full stop follows. */
function isSyntax(runs: readonly TextRun[]): boolean {
  const [name] = runs;
  const last = runs.at(-1);
  const isArgument = (run: TextRun | undefined) =>
    run !== undefined && !run.mono && run.italic && /[\p{L}\p{N}]/u.test(run.text);
  if (name?.mono !== true || !/^-\p{L}|\p{L}{2}/u.test(name.text)) return false;
  if (last?.mono !== true && last?.italic !== true) return false;
  return (
    runs.some(isArgument) &&
    runs.every((run, at) =>
      isArgument(run)
        ? !/\S\s+\S/.test(run.text) && !isArgument(runs[at - 1])
        : run.mono || !/[\p{L}\p{N}]/u.test(run.text),
    )
  );
}

/** The runs before the first one in the type of running text; none if there is no such change. */
function leadOf(runs: readonly TextRun[]): readonly TextRun[] {
  const end = runs.findIndex((run) => !run.bold && !run.mono && run.text.trim() !== '');
  return end <= 0 ? [] : runs.slice(0, end);
}

/**
 * A soft hyphen breaks a word only at the end of a line. Elsewhere it is drawn as any other hyphen. TeX draws its
 * copyright sign as a letter and a circle.
 */
function mendSigns(text: string): string {
  const whole = text.includes('©') ? text.replace(/(?<!\p{L})c©|©c(?!\p{L})/gu, '©') : text;
  if (!whole.includes('\u00ad')) return whole;
  return whole.slice(0, -1).replaceAll('\u00ad', '-') + whole.slice(-1);
}

function byPlace(runs: TextRun[]): TextRun[] {
  for (let at = 1; at < runs.length; at++) {
    if ((runs[at]?.x ?? 0) < (runs[at - 1]?.x ?? 0)) return runs.sort((a, b) => a.x - b.x);
  }
  return runs;
}

function toLine(
  spans: readonly Span[],
  page: number,
  region: number,
  mirrored: boolean,
): Line | undefined {
  const [only] = spans;
  const drawn =
    spans.length === 1 && only !== undefined ? only.runs : spans.flatMap((span) => span.runs);
  const main = spans.reduce((a, b) => (b.right - b.x > a.right - a.x ? b : a));
  const size = mainSize(drawn);
  const backwards = isBackwards(drawn);
  const turned = backwards && !mirrored;
  let runs = byPlace(turned ? drawn.map((run) => mirror(run, 0)) : drawn);
  if (mirrored || turned) runs = turnStretches(runs, (stretch) => plainText(stretch, size, main.y));
  const mono = isListing(runs);
  const segments = joinRuns(runs, size, main.y, mono);
  for (const segment of segments) segment.text = mendSigns(segment.text);
  const joined = mono ? plainText(runs, size, main.y) : segments.map(({ text }) => text).join(' ');
  if (joined.trim() === '') return undefined;
  const ahead = mono ? [] : leadOf(runs);
  const lead = plainText(ahead, size, main.y).trim();
  const text = mendSigns(
    mono ? mendListing(joined.trimEnd()) : joined.replace(/ {2,}/g, ' ').trim(),
  );
  return {
    page,
    region,
    text: backwards ? mendBrackets(text) : text,
    x: least(spans, (span) => span.x),
    right: greatest(spans, (span) => span.right),
    y: main.y,
    size,
    bold: share(runs, (run) => run.bold) > 0.6,
    italic: share(runs, (run) => run.italic) > 0.8,
    mono,
    lead: lead === '' ? undefined : { text: lead, bold: ahead.some((run) => run.bold) },
    segments: turned
      ? segments.map(({ text: each, x, right }) => ({ text: each, x: -right, right: -x }))
      : segments,
  };
}

function tableLine(span: Span, table: RuledTable, page: number, region: number): Line {
  const { x, right, y, size } = span;
  const plain = { bold: false, italic: false, mono: false, segments: [] };
  return { page, region, text: '', x, right, y, size, ...plain, table };
}

/**
 * The lines of one region from top to bottom. Spans on one baseline form one line.
 * @param mirrored the page's runs are mirrored, because it is read from right to left
 */
export function collectLines(
  spans: readonly Span[],
  page: number,
  region: number,
  mirrored = false,
): Line[] {
  const lines: Line[] = [];
  let row: Span[] = [];
  const flush = () => {
    const line = row.length === 0 ? undefined : toLine(row, page, region, mirrored);
    if (line !== undefined) lines.push(line);
    row = [];
  };
  const placed = [
    ...attachStragglers(spans.filter((span) => span.table === undefined)),
    ...spans.filter((span) => span.table !== undefined),
  ];
  placed.sort((a, b) => a.y - b.y || a.sequence - b.sequence);
  for (const span of placed) {
    if (span.table !== undefined) {
      flush();
      lines.push(tableLine(span, span.table, page, region));
      continue;
    }
    const last = row.at(-1);
    if (last !== undefined && span.y - (row[0]?.y ?? 0) > 0.35 * Math.min(span.size, last.size))
      flush();
    row.push(span);
  }
  flush();
  return lines;
}

function nearestBase(small: Span, spans: readonly Span[]): Span | undefined {
  return spans.find((base) => {
    const rise = base.y - small.y;
    return (
      base.size > 1.2 * small.size &&
      rise > -0.4 * base.size &&
      rise < 0.7 * base.size &&
      small.x - base.right < 0.4 * base.size &&
      base.x - small.right < 0.2 * base.size
    );
  });
}

/**
 * Moves spans with a baseline of their own to their line: super- and subscripts that come later in the content stream.
 */
function attachStragglers(spans: readonly Span[]): Span[] {
  let largest = 0;
  let smallest = Infinity;
  for (const span of spans) {
    largest = Math.max(largest, span.size);
    smallest = Math.min(smallest, span.size);
  }
  if (largest <= 1.2 * smallest) return [...spans];
  for (const span of spans) {
    const [run] = span.runs;
    if (span.runs.length !== 1 || run === undefined || run.text.length > 4) continue;
    if (span.size < 0.85 * largest && span.right - span.x < 3 * span.size) {
      const base = nearestBase(span, spans);
      if (base !== undefined) span.y = base.y;
    }
  }
  return [...spans];
}
