import type { Span, TextRun } from './page.js';

/** In ems. A wider gap separates columns or cells. Justified text rarely spaces words wider than one em. */
const wideGap = 1;

const loneMark = /^[^\p{L}\p{N}]$/u;

function isMuchSmaller(run: TextRun, previous: TextRun): boolean {
  return Math.max(run.size, previous.size) > 1.15 * Math.min(run.size, previous.size);
}

function continues(span: Span, previous: TextRun, run: TextRun, mirrored: boolean): boolean {
  const size = Math.max(run.size, previous.size);
  const gap = run.x - (previous.x + previous.width);
  const rise = Math.abs(run.y - span.y);
  if ((run.rightToLeft || previous.rightToLeft) && !mirrored) {
    return (
      rise < 0.2 * size &&
      run.x + run.width > previous.x - wideGap * size &&
      run.x < span.right + wideGap * size
    );
  }
  if (gap < -0.5 * size) return false;
  if (rise < 0.15 * size) return gap < (run.mono && previous.mono ? 3 : wideGap) * size;
  // Super- and subscripts are off the baseline, at most a word space from their text.
  return rise < 0.6 * size && gap < 0.6 * size && isMuchSmaller(run, previous);
}

/** Joins adjacent runs of the content stream that are on one baseline. */
export function collectSpans(runs: readonly TextRun[], mirrored = false): Span[] {
  const spans: Span[] = [];
  let span: Span | undefined;
  let previous: TextRun | undefined;
  for (const run of runs) {
    if (span !== undefined && previous !== undefined && continues(span, previous, run, mirrored)) {
      // A list mark may be larger and lower than its item. The item's baseline is the line's.
      const [first] = span.runs;
      if (span.runs.length === 1 && first !== undefined && loneMark.test(first.text)) {
        span.size = run.size;
        span.y = run.y;
      }
      span.runs.push(run);
      span.x = Math.min(span.x, run.x);
      span.right = Math.max(span.right, run.x + run.width);
      // The largest text sets the line's baseline, not a footnote mark that comes first.
      if (run.size > 1.15 * span.size) [span.size, span.y] = [run.size, run.y];
    } else {
      span = {
        runs: [run],
        x: run.x,
        right: run.x + run.width,
        y: run.y,
        size: run.size,
        sequence: spans.length,
      };
      spans.push(span);
    }
    previous = run;
  }
  return spans;
}

/** In font sizes: a narrower gap is within a word, such as the number that TeX draws sign by sign. */
const wordGap = 0.15;

/** The words of a span. */
export function textOf({ runs, size }: Span): string {
  let text = '';
  let end = -Infinity;
  for (const run of runs) {
    const isApart = run.spaced || run.x - end > wordGap * size;
    text += isApart ? ` ${run.text}` : run.text;
    end = run.x + run.width;
  }
  return text.trim();
}
