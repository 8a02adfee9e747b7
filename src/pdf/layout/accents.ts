import type { TextRun } from './page.js';

/** Accents that fonts without accented letters draw by themselves, and what they are over a letter. */
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
/** Without a place of their own these are no accents: apostrophes, quotes, powers and home directories. */
const sureOnes = /([¨ˆ˜˘˙˚˝ˇ])([A-Za-zıȷ])/g;
const mark = /^\p{M}+$/u;

function compose(letter: string, accent: string): string | undefined {
  if (!/\p{L}/u.test(letter)) return undefined;
  const base = letter === 'ı' ? 'i' : letter === 'ȷ' ? 'j' : letter;
  const composed = (base + (combining[accent] ?? accent)).normalize('NFC');
  // Hebrew points and the like have no letters of their own together, and stay two characters.
  return composed.length === 1 || mark.test(accent) ? composed : undefined;
}

/** What is written with a raised tilde or circumflex where there is no letter under it. */
const ascii: Record<string, string> = { '˜': '~', ˆ: '^' };

/** The accents that stand before their letter within one run, "Universit¨at", and those that are none. */
export function composeWithin(text: string): string {
  return text
    .replace(sureOnes, (all, accent: string, letter: string) => compose(letter, accent) ?? all)
    .replace(/[˜ˆ]/g, (char) => ascii[char] ?? char);
}

function isAccent(text: string): boolean {
  return combining[text] !== undefined || (text > '\u02ff' && mark.test(text));
}

/** Whether the accent that ends `run` hangs over the letter that the other run begins with. */
function hangsOver(run: TextRun, accent: number, other: TextRun): boolean {
  const letter = other.width / Math.max(1, other.text.length);
  const near = Math.abs(run.y - other.y) < 0.6 * Math.max(run.size, other.size);
  return near && accent > other.x - 0.15 * other.size && accent < other.x + 1.6 * letter;
}

/**
 * Joins accents that are drawn apart from their letters, as TeX's older fonts have it, to those letters. Such an accent
 * ends a run, and the letter under it begins the next, or it stands alone behind the letter it belongs to.
 */
export function composeAccents(runs: readonly TextRun[]): TextRun[] {
  const composed: TextRun[] = [];
  let pending: { run: TextRun; accent: string; middle: number } | undefined;
  for (const run of runs) {
    let current = run;
    if (pending !== undefined) {
      const { accent, middle } = pending;
      const whole = hangsOver(pending.run, middle, run)
        ? compose(run.text.charAt(0), accent)
        : undefined;
      const rest = pending.run.text.slice(0, -accent.length);
      if (whole !== undefined) {
        // What came before the accent is the same word, unless a space was drawn between them.
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
        ? compose(before.text.slice(-1), last)
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
