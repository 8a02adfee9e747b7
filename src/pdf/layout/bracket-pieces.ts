import { ByHeight } from './by-height.js';
import { greatest, least, type TextRun } from './page.js';

/** The parts of tall brackets, which fonts draw one below the other, and the brackets. */
const brackets: readonly [pieces: RegExp, whole: string][] = [
  [/[⎛⎜⎝]/, '('],
  [/[⎞⎟⎠]/, ')'],
  [/[⎡⎢⎣]/, '['],
  [/[⎤⎥⎦]/, ']'],
  [/[⎧⎨⎩]/, '{'],
  [/[⎫⎬⎭]/, '}'],
];
const pieces = /^[⎛-⎭\s]+$/u;
/** In points: the parts of a bracket are in one vertical line. */
const aligned = 1.5;
/** In font sizes: a part is this high at most. */
const tallest = 2;
/** In font sizes: parts that stand on the baseline are nearer to each other. */
const standing = 1.1;
/** A page with more parts is not made of formulas alone. */
const mostPieces = 2000;

/** The parts of each bracket, from the top. */
function collect(runs: readonly TextRun[]): TextRun[][] {
  const groups: TextRun[][] = [];
  const sorted = runs.filter(({ text }) => pieces.test(text)).sort((a, b) => a.y - b.y);
  if (sorted.length > mostPieces) return [];
  for (const run of sorted) {
    const group = groups.find((each) => {
      const last = each.at(-1);
      return (
        last !== undefined &&
        Math.abs(last.x - run.x) < aligned &&
        run.y - last.y < tallest * run.size
      );
    });
    if (group === undefined) groups.push([run]);
    else group.push(run);
  }
  return groups;
}

/**
 * The top and bottom of a bracket, by its parts. In TeX's fonts they hang from the baseline and are nearly two font sizes
 * high; in others they stand upon it and are lower. There, half of a small letter is between it and the middle.
 */
function extentOf(group: readonly TextRun[], first: TextRun): [top: number, bottom: number] {
  const last = greatest(group, (run) => run.y);
  const steps = group.slice(1).map((run, at) => run.y - (group[at]?.y ?? 0));
  const stands = group.length > 1 && greatest(steps, Number) < standing * first.size;
  return stands
    ? [first.y - 0.5 * first.size, last + 0.5 * first.size]
    : [first.y, last + first.size];
}

/**
 * Writes a bracket over several lines as one sign, "{", on the line in its middle. Where no text is beside it, its parts
 * are left out: they say nothing.
 */
export function joinBrackets(runs: readonly TextRun[]): TextRun[] {
  if (!runs.some(({ text }) => text >= '⎛' && pieces.test(text))) return [...runs];
  const written = new Map<TextRun, TextRun | undefined>();
  const others = new ByHeight(runs.filter(({ text }) => !pieces.test(text)));
  for (const group of collect(runs)) {
    const [first] = group;
    if (first === undefined) continue;
    const text = group.map((run) => run.text).join('');
    const whole = brackets.find(([parts]) => parts.test(text))?.[1] ?? '|';
    const [top, bottom] = extentOf(group, first);
    const beside = others
      .between(top, bottom)
      .filter((run) => run.y > top && run.y < bottom && run.size > 0.8 * first.size);
    const near = least(beside, (run) => Math.abs(run.y - (top + bottom) / 2));
    const line = beside.find((run) => Math.abs(run.y - (top + bottom) / 2) === near);
    for (const run of group) written.set(run, undefined);
    if (line !== undefined)
      written.set(first, { ...first, text: whole, y: line.y, size: line.size });
  }
  return runs.flatMap((run) => (written.has(run) ? (written.get(run) ?? []) : run));
}
