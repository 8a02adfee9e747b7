import type { Span } from './page.js';

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

/** A large initial reaches down over lines that begin beside it; the word it begins is the first of them. */
function settleInitial(initial: Span, spans: readonly Span[]): void {
  const beside = spans
    .filter(
      (span) =>
        span !== initial &&
        span.size < 0.6 * initial.size &&
        span.y > initial.y - initial.size &&
        span.y < initial.y + 0.3 * span.size &&
        span.x > initial.right - 0.3 * initial.size &&
        span.x < initial.right + 1.5 * span.size,
    )
    .sort((a, b) => a.y - b.y);
  const [first] = beside;
  const [run] = initial.runs;
  const [next] = first?.runs ?? [];
  if (first === undefined || run === undefined || next === undefined || beside.length < 2) return;
  const { size, y } = next;
  const letter = { ...run, size, y, x: next.x - run.width };
  first.runs.unshift({
    ...letter,
    text: run.text + next.text,
    width: run.width + next.width,
    bold: next.bold,
  });
  first.runs.splice(1, 1);
  initial.runs = [];
  // The lines beside the letter are no more indented than those below it.
  for (const span of beside) span.x = initial.x;
}

/**
 * Puts on their line what is drawn off it: super- and subscripts that come later in the content stream than their
 * text, and initials several lines high. Their own baseline would make lines of them.
 */
export function attachStragglers(spans: readonly Span[]): Span[] {
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
    if (/^["“«]?\p{L}$/u.test(run.text) && span.size > 1.8 * smallest) settleInitial(span, spans);
    else if (span.size < 0.85 * largest && span.right - span.x < 3 * span.size) {
      const base = nearestBase(span, spans);
      if (base !== undefined) span.y = base.y;
    }
  }
  return spans.filter((span) => span.runs.length > 0);
}
