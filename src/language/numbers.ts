import { foldCase } from './fold.js';
import { inAnyLanguage, isFunctionWord } from './packs.js';

/** A number or a part number of a text, as those of two texts compare: "4,5" is 4.5, and "X-200" is x200. */
export interface NumberIn {
  value: string;
  /** The words directly before and after it, in lower case; '' where there is none. */
  before: string;
  after: string;
}

/** Units of time, as a part of a pattern. */
export const timeUnits = inAnyLanguage((pack) => pack.measures.times);
const units = String.raw`[kmgt]i?b|[mck]?m|[mk]?g|ms|[mk]?[vaw]h?|px|min`;
/** The end of an ordinal or of a decade: 19th, 10.ª, 1970er. */
const endings = inAnyLanguage((pack) => pack.numbers.endings);
const decade = new RegExp(`^(?:${inAnyLanguage((pack) => pack.numbers.beforeDecades)})$`);
/** What makes an amount of a number, or a place in an order. */
const unit = new RegExp(`^(?:${units}|${endings}|${timeUnits})$`);
/** Letters and digits, joined by what joins numbers. */
const run = /[\p{L}\p{N}]+(?:(?:[.\-‐‑_]|(?<=\p{N}),(?=\p{N}))[\p{L}\p{N}]+)*/gu;
/** A number, with the mark of a version, and what is glued to it. */
const plain = new RegExp(String.raw`^v?(\p{N}+(?:[.,]\p{N}+)*)(${units}|${endings})?$`, 'u');
const thousands = /^\p{N}{1,3}(?:([.,])\p{N}{3})(?:\1\p{N}{3})*$/u;
const onlyDigits = /^\p{N}+$/u;

/** Digits from which on a number is a name, and those beyond which it counts nothing. */
const shortestName = 3;
const longestCount = 4;

/** Whether a word is a number, or a name with a digit. */
export function hasDigit(word: string): boolean {
  return /\p{N}/u.test(word);
}

export function numbersIn(text: string): NumberIn[] {
  if (!hasDigit(text)) return [];
  const folded = foldCase(text);
  const runs = [...folded.matchAll(run)].map(({ 0: word, index }) => ({ word, index }));
  return runs.flatMap(({ word, index }, at) => {
    if (!hasDigit(word)) return [];
    const previous = runs[at - 1];
    const next = runs[at + 1];
    const end = index + word.length;
    const isBehind = previous !== undefined && index - previous.index - previous.word.length === 1;
    const before = isBehind ? previous.word : '';
    const after = next !== undefined && next.index - end <= 1 ? next.word : '';
    // "400-page" counts pages.
    const [, counting = word, counted = after] =
      /^(\p{N}[^\-‐‑]*)[-‐‑](\p{L}{4,})$/u.exec(word) ?? [];
    const [, amount, glued = counted] = plain.exec(counting) ?? [];
    const values = amount === undefined ? namesIn(word) : amountsIn(amount);
    return values.map((value) => ({ value, before, after: glued }));
  });
}

/** A decimal comma is a point, and thousands have no mark; more commas than one make a list. */
function amountsIn(amount: string): string[] {
  if (thousands.test(amount)) return [amount.replace(/[.,]/g, '')];
  const parts = amount.split(',');
  return parts.length === 2 && !amount.includes('.') ? [parts.join('.')] : parts;
}

/** "1990-1995" and a date are several numbers, "X-200" is one name. */
function namesIn(word: string): string[] {
  const parts = word.split(/[.,\-‐‑_]/);
  return parts.every((part) => onlyDigits.test(part)) ? parts : [parts.join('')];
}

/** Whether a number of a text is the one that is asked for: "X 200" is X-200, but 5.3 A is not 5.3 kV. */
export function isSameNumber(asked: NumberIn, held: NumberIn): boolean {
  if (asked.before + asked.value === held.value || held.before + held.value === asked.value)
    return true;
  if (isDecade(asked, held) || isDecade(held, asked)) return true;
  if (asked.value !== held.value) return false;
  const isOther = unit.test(asked.after) && unit.test(held.after) && asked.after !== held.after;
  return !isOther || onlyDigits.test(asked.value);
}

/** "los años 80" are those of 1980. */
function isDecade({ value, before }: NumberIn, year: NumberIn): boolean {
  return /^\d0$/.test(value) && decade.test(before) && isYear(year) && year.value.endsWith(value);
}

/** Whether a number names something by itself, whatever stands before it: 4711, 2.1 and X3, but not 2. */
export function isNaming({ value }: NumberIn): boolean {
  return !onlyDigits.test(value) || value.length >= shortestName;
}

/** Whether a number tells how much and names nothing: 300 days. */
export function isAmount({ value, after }: NumberIn): boolean {
  return onlyDigits.test(value) && unit.test(after);
}

export function isYear(number: NumberIn): boolean {
  return /^(?:1\d|20)\d\d$/.test(number.value) && !isAmount(number);
}

/** Whether one number counts what the other counts: "200 users" is answered by "at most 50 users". */
export function countsTheSame(asked: NumberIn, held: NumberIn): boolean {
  const isCount = onlyDigits.test(asked.value) && asked.value.length <= longestCount;
  if (!isCount || asked.after !== held.after || asked.before === held.before) return false;
  return asked.after !== '' && !isFunctionWord(asked.after);
}
