import { queryTerms } from '../platform/text/analyze.js';
import { foldAccents } from '../platform/text/fold.js';
import { timeUnits } from '../platform/text/numbers.js';
import type { WeightedTerm } from '../search/search-passages.js';
import { asksForChange, namesSetting } from '../platform/text/answer-kinds.js';

/** What a word counts that stands there as a value: "size" in "at most 50 MB"; with a word for that measure, all. */
const valueShare = 0.7;

const amount = String.raw`\d(?:[\d., ]{0,15}\d)?\s?`;
const lengths =
  'mm|cm|m|km|met(?:er|re)s?|metros?|kilomet(?:er|re)s?|kilómetros?|inch(?:es)?|feet|miles?|pulgadas?|zoll';

/** Numbers as words: what a phrase for a bound that means other things too ("up to date") must stand before. */
const numbers =
  'one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand|una?|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|cien|mil|eine?[mnrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|hundert|tausend';

/** Words that ask for a measure, without accents, and the values that tell it without naming it. */
const measures: readonly { asked: RegExp; told: RegExp }[] = [
  {
    asked:
      /^(?:max|maxim\p{L}*|limit\p{L}*|\p{L}*grenzen?|hochst\p{L}*|maximal\p{L}*|biggest|largest|longest|highest|greatest|grosste[nrs]?|langste[nrs]?|mayor|tope)$/u,
    told: boundOf(
      'at (?:the )?most|(?:no|not) (?:more|larger|longer|bigger|higher) than|(?:not|never) exceed|max(?:imum|imal|_\\w+)?|höchstens|nicht (?:mehr|größer|länger) als|maxim(?:al|um)|como (?:máximo|mucho)|no (?:más|mayor) de|a lo sumo|máxim[oa]s?',
      'up to|bis zu|hasta',
    ),
  },
  {
    asked:
      /^(?:min|minim\p{L}*|mindest\p{L}*|smallest|shortest|lowest|kleinste[nrs]?|kurzeste[nrs]?)$/u,
    told: boundOf(
      'at (?:the )?least|(?:no|not) (?:less|fewer|shorter|smaller) than|min(?:imum|_\\w+)?|mindestens|wenigstens|nicht (?:weniger|kürzer|kleiner) als|minim(?:al|um)|como mínimo|al menos|por lo menos|no menos de|mínim[oa]s?',
      'from|ab|desde',
    ),
  },
  {
    asked: /^(?:sizes?|large|big|tamanos?|grandes?|\p{L}*gross(?:e[nrs]?)?)$/u,
    told: valueOf(
      `bytes?|[kmgt]i?b|pixels?|px|píxeles|ha|acres?|hectáreas?|hektar|lit(?:er|re)s?|litros?|(?:${lengths})[²2]?`,
    ),
  },
  {
    asked: /^(?:lengths?|long|longitud|larg[oa]|lange|lang)$/,
    told: valueOf(
      `characters?|caracteres|zeichen|letters|letras|buchstaben|words|palabras|worter|pages|páginas|seiten|${lengths}|${timeUnits}`,
    ),
  },
  {
    asked: /^(?:weights?|weighs?|pesos?|pesan?|\p{L}*gewichte?|wiegt|wiegen)$/u,
    told: valueOf(
      'kg|g|mg|t|[kmgt]i?b|lbs?|kilo(?:gram)?s?|grams?|kilogramos?|gramos?|gramm|kilogramm|tonn?es?|toneladas?|tonnen?|pounds?',
    ),
  },
  {
    asked: /^(?:prices?|costs?|precios?|cuestan?|costes?|\p{L}*preise?|kostet|kosten)$/u,
    told: new RegExp(
      String.raw`[€$£¥]\s?\d|\d\s?[€$£¥]|free of charge|gratis|gratuit[oa]s?|kostenlos|kostenfrei|${valueOf('euros?|eur|usd|gbp|chf|dollars?|dólares|pounds?|libras|pfund|pesos?|fran(?:cs?|cos|ken)|crowns?|kronen|coronas|cents?|céntimos').source}`,
      'iu',
    ),
  },
];

/** How surely a text tells what a word asks for without that word, 0 to 1: a measure by its value, a change by its setting. */
export function matchByValue(term: WeightedTerm, text: string): number {
  const measure = measureOf(term);
  if (measure === undefined) return asksForChange(term.text) && namesSetting(text) ? valueShare : 0;
  if (!measure.told.test(text)) return 0;
  const words = foldAccents(text.toLowerCase()).match(/\p{L}+/gu) ?? [];
  return words.some((word) => measure.asked.test(word)) ? 1 : valueShare;
}

/** Whether a text may tell what a word asks for without that word. */
export function mayMatchByValue(term: WeightedTerm): boolean {
  return asksMeasure(term) || asksForChange(term.text);
}

/** Whether a word asks for a measure, which a text must tell: whatever else it says is no answer. */
export function asksMeasure(term: WeightedTerm): boolean {
  return measureOf(term) !== undefined;
}

/** Whether a text tells every measure that a message asks for; so does any for a message that asks for none. */
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

/** Phrases for a bound, by themselves or before a number alone. */
function boundOf(phrases: string, beforeNumbers: string): RegExp {
  const alone = String.raw`(?:${phrases})(?![\p{L}\p{N}])`;
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:${alone}|(?:${beforeNumbers})\s(?:\p{N}|(?:${numbers})(?![\p{L}\p{N}])))`,
    'iu',
  );
}
