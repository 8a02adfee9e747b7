import { plainText, writePower } from './join-runs.js';
import type { Rule, TextRun } from './page.js';

/** Of its base's size: a script is smaller. */
const small = 0.85;
/** In font sizes of the base: how far a script is above or below its baseline, and how far from its end. */
const offset = { least: 0.08, most: 0.9 };
const distance = { least: -0.12, most: 0.35 };
/** Longer text is no script. */
const mostRuns = 16;

const rightOf = (run: TextRun) => run.x + run.width;

const subscripts = '₀₁₂₃₄₅₆₇₈₉';
const lowered: Readonly<Record<string, string>> = { '+': '₊', '-': '₋', '−': '₋' };
/** Marks of a name or a note, and the ends of ordinal numbers, are no powers. */
const noPower = /^(?:TM|SM|[®™©ªº°]|st|nd|rd|th|er|re|e|o|a|[*∗†‡§¶#′'"”]+)$/u;
/** A letter that is no part of a word. */
const variable = /(?:^|[^\p{L}])\p{L}\p{M}*$/u;
/** Variables side by side, in one run. */
const shortName = /(?:^|[^\p{L}])\p{L}{2,3}$/u;
const greek = /[\p{Script=Greek}ℓℏ∂∇]\p{M}*$/u;
const functionName = /(?:^|[^\p{L}])(?:log|ln|lim|max|min|sup|inf|det|arg\s?max|arg\s?min)$/u;

/** Scripts in one line, as "x_i", "x_{1,39}" or "x₀". */
export function writeSub(text: string): string {
  if (text === '') return '';
  if (/^[-+−\d]+$/.test(text)) {
    return Array.from(text, (sign) => lowered[sign] ?? subscripts[Number(sign)] ?? sign).join('');
  }
  return /^(?:\p{L}+|\p{L}\p{M}|∞)$/u.test(text) ? `_${text}` : `_{${text}}`;
}

/** As "x^l", "x^{ml}" or "x²". */
export function writeSuper(text: string): string {
  if (/^[-+−]?[\dn]*$/.test(text)) return writePower(text);
  if (/^[′'*∗†‡]+$/u.test(text)) return text;
  return /^[\p{L}∞]$/u.test(text) ? `^${text}` : `^{${text}}`;
}

/** Some fonts draw primes and stars low. */
const isPrime = ({ text }: TextRun) => /^[′'*∗]+$/.test(text);

interface Scripts {
  sub: TextRun[];
  super: TextRun[];
}

/** In points: the lengths of fraction bars. A page with more of them is a drawing. */
const lengths = { least: 2, most: 320 };
const mostBars = 1000;

/** The rules that may be bars of fractions; undefined on a drawing. */
export function barsOf(rules: readonly Rule[]): Rule[] | undefined {
  const bars = rules.filter(
    ({ across, from, to }) => across && to - from > lengths.least && to - from < lengths.most,
  );
  if (bars.length > mostBars) return undefined;
  return bars;
}

const none: Scripts = { sub: [], super: [] };

/** True for a run that is above or below a bar, and so perhaps on a side of a fraction. */
export function isAtBar(run: TextRun, bars: readonly Rule[], most = 1.2): boolean {
  const middle = run.x + run.width / 2;
  return bars.some(
    ({ at, from, to }) => middle > from && middle < to && Math.abs(at - run.y) < most * run.size,
  );
}

/** The scripts that follow a run in the content stream. */
function scriptsOf(runs: readonly TextRun[], at: number, bars: readonly Rule[]): Scripts {
  const base = runs[at];
  const found: Scripts = { sub: [], super: [] };
  if (base === undefined) return none;
  let end = rightOf(base);
  for (let next = at + 1; next < at + mostRuns; next++) {
    const run = runs[next];
    if (run === undefined || run.size > small * base.size) break;
    const shift = (run.y - base.y) / base.size;
    const isNear =
      run.x > rightOf(base) + distance.least * base.size &&
      run.x < end + distance.most * base.size &&
      Math.abs(shift) > offset.least &&
      Math.abs(shift) < offset.most;
    if (!isNear || run.rightToLeft) break;
    // A fraction beside its base, or one in a power.
    if (isAtBar(run, bars) && !isAtBar(base, bars, 2)) return none;
    (shift > 0 && !isPrime(run) ? found.sub : found.super).push(run);
    end = Math.max(end, rightOf(run));
  }
  return found;
}

/** What is written above or below something else, in one line. */
export function textOfRuns(runs: readonly TextRun[], bars: readonly Rule[]): string {
  const [first] = runs;
  if (first === undefined) return '';
  const written = writeScripts(runs, bars);
  const level = written.map((run) => ({ ...run, y: first.y, size: first.size }));
  return plainText(level, first.size, first.y).replaceAll(/\s+/g, ' ').trim();
}

/** True when the bracket that closes here holds terms of a formula, not words. */
function closesTerm(runs: readonly TextRun[], at: number): boolean {
  const base = runs[at];
  if (base === undefined) return false;
  let text = '';
  for (let from = at; from >= 0 && from > at - 40; from--) {
    const run = runs[from];
    if (run === undefined || Math.abs(run.y - base.y) > 0.1 * base.size) continue;
    text = run.text + text;
    const open = (text.match(/[([{]/g) ?? []).length;
    if (open > 0 && open >= (text.match(/[)\]}]/g) ?? []).length) break;
  }
  return /^[({]|\[/.test(text) && !/\p{L}{3}/u.test(text) && /\p{L}|[-+−±·×|]/u.test(text);
}

/** True where scripts belong to a formula: their base is a variable, a bracket of a formula or a function. */
function isOfFormula(
  runs: readonly TextRun[],
  at: number,
  { sub, super: raised }: Scripts,
): boolean {
  const base = runs[at];
  if (base === undefined || base.mono) return false;
  const text = base.text.trimEnd();
  const script = [...sub, ...raised].map((run) => run.text).join('');
  if (!/[\p{L}\p{N}∞]|^[-+−±∗*′†‡⊥⊤]+$/u.test(script)) return false;
  if (greek.test(text) || /[∑∏∫∮]$/u.test(text)) return true;
  if (text.endsWith('|')) return true;
  if (/[)\]}⟩]$/u.test(text)) return sub.length > 0 || closesTerm(runs, at);
  const isItalic = [...sub, ...raised].some((run) => run.italic || greek.test(run.text));
  if (variable.test(text)) return base.italic || isItalic || (base.bold && sub.length > 0);
  if (base.italic && sub.length > 0 && shortName.test(text)) return true;
  if (functionName.test(text)) return sub.length > 0;
  // Ten to the minus six, in one or more runs.
  const power = raised.map((run) => run.text).join('');
  return /\d$/.test(text) && sub.length === 0 && (/^[-−]\s?\d/.test(power) || isItalic);
}

/**
 * Writes the indices and powers of formulas in their line: "x_i", "A_{1,39}^{ml}". Raised text behind words, such as the
 * mark of a footnote, and lowered text that is no index of a variable, such as in H2O, stay as they are.
 */
export function writeScripts(runs: readonly TextRun[], bars: readonly Rule[]): TextRun[] {
  const written: TextRun[] = [];
  let needsSpace = false;
  for (let at = 0; at < runs.length; at++) {
    const base = runs[at];
    if (base === undefined) break;
    const scripts = scriptsOf(runs, at, bars);
    const all = [...scripts.sub, ...scripts.super];
    const own = needsSpace && /^[\p{L}\p{N}]/u.test(base.text) ? { ...base, spaced: true } : base;
    needsSpace = false;
    const raised = all.length === 0 ? '' : textOfRuns(scripts.super, bars);
    if (
      all.length === 0 ||
      (scripts.sub.length === 0 && noPower.test(raised)) ||
      !isOfFormula(runs, at, scripts)
    ) {
      written.push(own);
      continue;
    }
    const text = writeSub(textOfRuns(scripts.sub, bars)) + writeSuper(raised);
    const right = all.reduce((most, run) => Math.max(most, rightOf(run)), rightOf(base));
    written.push({ ...own, text: own.text.trimEnd() + text, width: right - base.x });
    needsSpace = /[_^]\p{L}+$/u.test(text);
    at += all.length;
  }
  return written;
}
