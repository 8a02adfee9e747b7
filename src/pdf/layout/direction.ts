import type { TextRun } from './page.js';

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const leftToRight = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u;
const plain = /^[\u0020-\u007e]*$/;
const swapped: Record<string, string> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
};

export function hasRightToLeft(text: string): boolean {
  return !plain.test(text) && rightToLeft.test(text);
}

/** True when text is read from right to left, even if names and numbers in it are not. */
export function isBackwards(runs: readonly TextRun[]): boolean {
  let forwards = 0;
  let backwards = 0;
  for (const { text, rightToLeft: turned } of runs) {
    if (turned) backwards += text.length;
    else forwards += text.length;
  }
  return backwards > 0.7 * forwards;
}

/** Mirrors a run horizontally. Text from right to left then runs from left to right, including its columns. */
export function mirror(run: TextRun, width: number): TextRun {
  return { ...run, x: width - run.x - run.width };
}

/** Restores the reading direction of left-to-right words and numbers in a mirrored line. `join` joins each stretch. */
export function turnStretches(
  runs: readonly TextRun[],
  join: (stretch: readonly TextRun[]) => string,
): TextRun[] {
  const turned: TextRun[] = [];
  for (let at = 0; at < runs.length;) {
    const first = runs[at];
    if (first === undefined) break;
    let end = at;
    if (!hasRightToLeft(first.text) && leftToRight.test(first.text)) {
      for (let next = at; next < runs.length; next++) {
        const text = runs[next]?.text ?? '';
        if (hasRightToLeft(text)) break;
        if (leftToRight.test(text)) end = next;
      }
    }
    const last = runs[end];
    if (end === at || last === undefined) turned.push(first);
    else {
      const stretch = runs.slice(at, end + 1).reverse();
      const width = last.x + last.width - first.x;
      // Mirroring a stretch twice restores the drawn order.
      const text = join(stretch.map((run) => mirror(run, 0)));
      turned.push({ ...first, text, width });
    }
    at = end + 1;
  }
  return turned;
}

/**
 * Corrects swapped brackets: some producers store the shape, others the meaning. A leading closing bracket shows it.
 */
export function mendBrackets(text: string): string {
  const first = /[()[\]{}]/.exec(text)?.[0] ?? '';
  const opposite = swapped[first] ?? '';
  if (!/[)\]}]/.test(first) || !text.includes(opposite)) return text;
  return text.replace(/[()[\]{}]/g, (char) => swapped[char] ?? char);
}
