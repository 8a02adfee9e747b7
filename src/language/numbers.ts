import { allMatches } from '../platform/text/all-matches.js';
import { foldCase } from './fold.js';
import { inAnyLanguage, isFunctionWord } from './packs.js';

/** A number or part number in a comparable form: "4,5" becomes 4.5, and "X-200" becomes x200. */
export interface NumberIn {
  value: string;
  /** The words directly before and after it, in lower case; '' without one. */
  before: string;
  after: string;
}

/** Units of time, as part of a pattern. */
export const timeUnits = inAnyLanguage((pack) => pack.measures.times);
const units = String.raw`[kmgt]i?b|[mck]?m|[mk]?g|ms|[mk]?[vaw]h?|px|min`;
/** The ending of an ordinal or decade: 19th, 10.ª, 1970er. */
const endings = inAnyLanguage((pack) => pack.numbers.endings);
const decade = new RegExp(`^(?:${inAnyLanguage((pack) => pack.numbers.beforeDecades)})$`);
/** Words after a number that make it an amount or a position. */
const unit = new RegExp(`^(?:${units}|${endings}|${timeUnits})$`);
/** Letters and digits with the characters that join numbers. */
const run = /[\p{L}\p{N}]+(?:(?:[.\-‐‑_]|(?<=\p{N}),(?=\p{N}))[\p{L}\p{N}]+)*/gu;
/** A number with its version mark and the letters attached to it. */
const plain = new RegExp(String.raw`^v?(\p{N}+(?:[.,]\p{N}+)*)(${units}|${endings})?$`, 'u');
const thousands = /^\p{N}{1,3}(?:([.,])\p{N}{3})(?:\1\p{N}{3})*$/u;
const onlyDigits = /^\p{N}+$/u;

/** The fewest digits of a number that is a name, and the most digits of any number. */
const shortestName = 3;
const longestCount = 4;

/** True for a number, or a name with a digit. */
export function hasDigit(word: string): boolean {
  return /\p{N}/u.test(word);
}

export function numbersIn(text: string): NumberIn[] {
  if (!hasDigit(text)) return [];
  const folded = foldCase(text);
  const runs = allMatches(folded, run).map(({ 0: word, index }) => ({ word, index }));
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

/** Normalizes an amount: a decimal comma becomes a point, thousands separators go. Several commas make a list. */
function amountsIn(amount: string): string[] {
  if (thousands.test(amount)) return [amount.replace(/[.,]/g, '')];
  const parts = amount.split(',');
  return parts.length === 2 && !amount.includes('.') ? [parts.join('.')] : parts;
}

/** "1990-1995" and a date are several numbers; "X-200" is one name. */
function namesIn(word: string): string[] {
  const parts = word.split(/[.,\-‐‑_]/);
  return parts.every((part) => onlyDigits.test(part)) ? parts : [parts.join('')];
}

/** True when a number of a text is the requested one: "X 200" means X-200, but 5.3 A is not 5.3 kV. */
export function isSameNumber(asked: NumberIn, held: NumberIn): boolean {
  if (asked.before + asked.value === held.value || held.before + held.value === asked.value)
    return true;
  if (isDecade(asked, held) || isDecade(held, asked)) return true;
  if (asked.value !== held.value) return false;
  const isOther = unit.test(asked.after) && unit.test(held.after) && asked.after !== held.after;
  return !isOther || onlyDigits.test(asked.value);
}

/** "los años 80" are the years from 1980. */
function isDecade({ value, before }: NumberIn, year: NumberIn): boolean {
  return /^\d0$/.test(value) && decade.test(before) && isYear(year) && year.value.endsWith(value);
}

/** True when a number is a name, whatever precedes it: 4711, 2.1 and X3, but not 2. */
export function isNaming({ value }: NumberIn): boolean {
  return !onlyDigits.test(value) || value.length >= shortestName;
}

/** True for a number that is an amount and not a name: 300 days. */
export function isAmount({ value, after }: NumberIn): boolean {
  return onlyDigits.test(value) && unit.test(after);
}

export function isYear(number: NumberIn): boolean {
  return /^(?:1\d|20)\d\d$/.test(number.value) && !isAmount(number);
}

/** True when two numbers count the same thing: "200 users" is answered by "at most 50 users". */
export function countsTheSame(asked: NumberIn, held: NumberIn): boolean {
  const isCount = onlyDigits.test(asked.value) && asked.value.length <= longestCount;
  if (!isCount || asked.after !== held.after || asked.before === held.before) return false;
  return asked.after !== '' && !isFunctionWord(asked.after);
}
