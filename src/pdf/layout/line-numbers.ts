import type { TextRun } from './page.js';

/** The text of a manuscript is so much larger than the numbers of its lines, in the margin. */
const larger = 1.3;
/** Each fifth line has a number, and these are so far apart, in their font sizes. A listing may count all of its lines. */
const step = 5;
const farApart = 5;
const fewest = 4;
/** In points: the numbers end at one place. */
const aligned = 0.6;

const number = /^\d{1,4}$/;

/** The size of most letters, in points. */
function mainSize(runs: readonly TextRun[]): number {
  const letters = new Map<number, number>();
  let best = 0;
  for (const { size, text } of runs) {
    const count = (letters.get(size) ?? 0) + text.length;
    letters.set(size, count);
    if (count > (letters.get(best) ?? 0)) best = size;
  }
  return best;
}

/** The numbers one below the other that count on in steps. */
function counting(group: readonly TextRun[]): TextRun[] {
  const sorted = [...group].sort((a, b) => a.y - b.y);
  const isStep = (a: TextRun | undefined, b: TextRun | undefined) =>
    a !== undefined &&
    b !== undefined &&
    Number(b.text) - Number(a.text) === step &&
    b.y - a.y > farApart * b.size;
  const found = sorted.filter(
    (run, at) => isStep(sorted[at - 1], run) || isStep(run, sorted[at + 1]),
  );
  const [first] = found;
  if (first === undefined || found.length < fewest) return [];
  // One may stand alone above a figure.
  const isAlike = ({ text, size }: TextRun) => size === first.size && Number(text) % step === 0;
  return sorted.filter((run) => found.includes(run) || isAlike(run));
}

/** Leaves out the numbers of a manuscript's lines: small ones in a margin, at each fifth line of a column. */
export function dropLineNumbers(runs: readonly TextRun[]): readonly TextRun[] {
  const numbers = runs.filter(({ text }) => text.length <= 4 && number.test(text));
  if (numbers.length < fewest) return runs;
  const size = mainSize(runs);
  const groups = new Map<number, TextRun[]>();
  for (const run of numbers) {
    if (run.size * larger > size) continue;
    const end = Math.round((run.x + run.width) / aligned);
    groups.set(end, [...(groups.get(end) ?? []), run]);
  }
  const dropped = new Set([...groups.values()].flatMap(counting));
  return dropped.size === 0 ? runs : runs.filter((run) => !dropped.has(run));
}
