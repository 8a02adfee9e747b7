import { queryTerms } from '../language/analyze.js';
import { asksForChange, namesSetting } from '../language/answer-kinds.js';
import { foldAccents } from '../language/fold.js';
import type { LanguagePack } from '../language/language-pack.js';
import { timeUnits } from '../language/numbers.js';
import { inAnyLanguage } from '../language/packs.js';
import type { WeightedTerm } from '../search/search-passages.js';

/** The score of a word that occurs as a value: "size" in "at most 50 MB". A word for the measure scores fully. */
const valueShare = 0.7;

type Measure = Exclude<keyof LanguagePack['measures'], 'free' | 'lengths' | 'times'>;

const amount = String.raw`\d(?:[\d., ]{0,15}\d)?\s?`;
const lengths = `mm|cm|m|km|${inAnyLanguage(({ measures }) => measures.lengths)}`;

/** Words that ask for a measure, without accents, and values that answer them. */
const measures: readonly { asked: RegExp; told: RegExp }[] = [
  { asked: askedBy('most'), told: boundOf('most') },
  { asked: askedBy('least'), told: boundOf('least') },
  {
    asked: askedBy('size'),
    told: valueOf(`[kmgt]i?b|px|ha|${unitsOf('size')}|(?:${lengths})[²2]?`),
  },
  {
    asked: askedBy('length'),
    told: valueOf(`${unitsOf('length')}|${lengths}|${timeUnits}`),
  },
  { asked: askedBy('weight'), told: valueOf(`kg|g|mg|t|[kmgt]i?b|lbs?|${unitsOf('weight')}`) },
  {
    asked: askedBy('price'),
    told: new RegExp(
      String.raw`[€$£¥]\s?\d|\d\s?[€$£¥]|${inAnyLanguage(({ measures }) => measures.free)}|${valueOf(`euros?|eur|usd|gbp|chf|${unitsOf('price')}`).source}`,
      'iu',
    ),
  },
];

/** How clearly a text answers a word without containing it, 0 to 1: a measure by its value, a change by its setting. */
export function matchByValue(term: WeightedTerm, text: string): number {
  const measure = measureOf(term);
  if (measure === undefined) return asksForChange(term.text) && namesSetting(text) ? valueShare : 0;
  if (!measure.told.test(text)) return 0;
  const words = foldAccents(text.toLowerCase()).match(/\p{L}+/gu) ?? [];
  return words.some((word) => measure.asked.test(word)) ? 1 : valueShare;
}

/** True when a text may answer a word without containing it. */
export function mayMatchByValue(term: WeightedTerm): boolean {
  return asksMeasure(term) || asksForChange(term.text);
}

/** True when a word asks for a measure that the text must contain: any other text is no answer. */
export function asksMeasure(term: WeightedTerm): boolean {
  return measureOf(term) !== undefined;
}

/** True when a text contains every measure that a message asks for; also when it asks for none. */
export function tellsMeasures(message: string, text: string): boolean {
  const asked = queryTerms(message).flatMap((term) => measureOf(term) ?? []);
  return asked.every(({ told }) => told.test(text));
}

function measureOf({ text }: Pick<WeightedTerm, 'text'>): (typeof measures)[number] | undefined {
  const asked = foldAccents(text);
  return measures.find((measure) => measure.asked.test(asked));
}

function valueOf(units: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${amount}(?:${units})(?![\p{L}\p{N}])`, 'iu');
}

function askedBy(measure: Measure): RegExp {
  return new RegExp(`^(?:${inAnyLanguage(({ measures }) => measures[measure].asked)})$`, 'u');
}

function unitsOf(measure: Exclude<Measure, 'most' | 'least'>): string {
  return inAnyLanguage(({ measures }) => measures[measure].units);
}

/** Phrases for a bound, alone or before a number: "up to date" is not one. */
function boundOf(bound: 'most' | 'least'): RegExp {
  const alone = String.raw`(?:${inAnyLanguage(({ measures }) => measures[bound].told)})(?![\p{L}\p{N}])`;
  const before = inAnyLanguage(({ measures }) => measures[bound].beforeNumbers);
  const numbers = inAnyLanguage((pack) => pack.numbers.words);
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:${alone}|(?:${before})\s(?:\p{N}|(?:${numbers})(?![\p{L}\p{N}])))`,
    'iu',
  );
}
