import type { TextRun } from './page.js';

/** Accents that fonts without accented letters draw separately, and their combining characters. */
const combining: Record<string, string> = {
  '´': '\u0301',
  ˊ: '\u0301',
  '`': '\u0300',
  ˋ: '\u0300',
  '¨': '\u0308',
  '^': '\u0302',
  ˆ: '\u0302',
  '~': '\u0303',
  '˜': '\u0303',
  '¯': '\u0304',
  '˘': '\u0306',
  '˙': '\u0307',
  '˚': '\u030a',
  '˝': '\u030b',
  ˇ: '\u030c',
  '¸': '\u0327',
  '˛': '\u0328',
};
/** Accents that are sure without their position. Others may be apostrophes, quotes, powers or home directories. */
const sureOnes = /([¨ˆ˜˘˙˚˝ˇ])([A-Za-zıȷ])/g;
const mark = /^\p{M}+$/u;

/** @param isVariable the letter is alone: in formulas, letters have accents that no language has */
function compose(letter: string, accent: string, isVariable = false): string | undefined {
  // A stroke through a sign negates it: ≠.
  const negated = accent === '\u0338' ? (letter + accent).normalize('NFC') : '';
  if (negated.length === 1) return negated;
  if (!/\p{L}/u.test(letter)) return undefined;
  const base = letter === 'ı' ? 'i' : letter === 'ȷ' ? 'j' : letter;
  const composed = (base + (combining[accent] ?? accent)).normalize('NFC');
  // Hebrew points and similar marks have no composed letters and stay two characters.
  return composed.length === 1 || mark.test(accent) || isVariable ? composed : undefined;
}

/** The ASCII characters that a raised tilde or circumflex means when no letter is under it. */
const ascii: Record<string, string> = { '˜': '~', ˆ: '^' };

/** Composes accents that stand before their letter within one run, "Universit¨at". */
export function composeWithin(text: string): string {
  return text
    .replace(sureOnes, (all, accent: string, letter: string) => compose(letter, accent) ?? all)
    .replace(/[˜ˆ]/g, (char) => ascii[char] ?? char);
}

/** A variable of a formula, whose accent stands over it. */
const isVariable = (run: TextRun) => !run.mono && /^\p{L}$/u.test(run.text);

function isAccent(text: string): boolean {
  return combining[text] !== undefined || (text > '\u02ff' && mark.test(text));
}

/** True when the accent at the end of `run` is above the first letter of the other run. */
function hangsOver(run: TextRun, accent: number, other: TextRun): boolean {
  const letter = other.width / Math.max(1, other.text.length);
  const near = Math.abs(run.y - other.y) < 0.6 * Math.max(run.size, other.size);
  return near && accent > other.x - 0.15 * other.size && accent < other.x + 1.6 * letter;
}

/**
 * Joins accents to their letters. TeX's older fonts draw them separately: such an accent ends a run and the letter
 * under it begins the next, or it stands alone after its letter.
 */
export function composeAccents(runs: readonly TextRun[]): TextRun[] {
  const composed: TextRun[] = [];
  let pending: { run: TextRun; accent: string; middle: number } | undefined;
  for (const run of runs) {
    let current = run;
    if (pending !== undefined) {
      const { accent, middle } = pending;
      const whole = hangsOver(pending.run, middle, run)
        ? compose(run.text.charAt(0), accent, isVariable(run))
        : undefined;
      const rest = pending.run.text.slice(0, -accent.length);
      if (whole !== undefined) {
        // The text before the accent belongs to the same word, unless a space was drawn between them.
        if (rest !== '') composed.push({ ...pending.run, text: rest });
        current = {
          ...run,
          text: whole + run.text.slice(1),
          spaced: rest === '' && pending.run.spaced,
        };
      } else composed.push(pending.run);
      pending = undefined;
    }
    const last = current.text.slice(-1);
    if (!isAccent(last)) {
      composed.push(current);
      continue;
    }
    const width = current.width / current.text.length / 2;
    const middle = current.x + current.width - width;
    const before = composed.at(-1);
    const end = before === undefined ? 0 : before.x + before.width;
    const over =
      current.text.length === 1 &&
      before !== undefined &&
      middle < end &&
      middle > end - before.size
        ? compose(before.text.slice(-1), last, isVariable(before))
        : undefined;
    if (
      over !== undefined &&
      before !== undefined &&
      Math.abs(before.y - current.y) < 0.6 * before.size
    ) {
      composed[composed.length - 1] = { ...before, text: before.text.slice(0, -1) + over };
    } else pending = { run: current, accent: last, middle };
  }
  if (pending !== undefined) composed.push(pending.run);
  return composed;
}
