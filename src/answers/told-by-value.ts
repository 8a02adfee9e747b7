import { queryTerms } from '../platform/text/analyze.js';
import { foldAccents } from '../platform/text/fold.js';
import type { WeightedTerm } from '../retrieval/search-passages.js';

/** What a word counts that stands there as a value: "size" in "at most 50 MB". */
const valueShare = 0.7;

const amount = String.raw`\d(?:[\d., ]{0,15}\d)?\s?`;
const lengths =
  'mm|cm|m|km|met(?:er|re)s?|metros?|kilomet(?:er|re)s?|kilómetros?|inch(?:es)?|feet|miles?|pulgadas?|zoll';

/** Words that ask for a measure, without accents, and the values that tell it without naming it. */
const measures: readonly { asked: RegExp; told: RegExp }[] = [
  {
    asked: /^(?:sizes?|tamanos?|\p{L}*grossen?)$/u,
    told: valueOf(
      `bytes?|[kmgt]i?b|pixels?|px|píxeles|ha|acres?|hectáreas?|hektar|(?:${lengths})[²2]?`,
    ),
  },
  {
    asked: /^(?:lengths?|long|longitud|larg[oa]|lange|lang)$/,
    told: valueOf(
      `characters?|caracteres|zeichen|letters|letras|buchstaben|words|palabras|worter|pages|páginas|seiten|${lengths}`,
    ),
  },
  {
    asked: /^(?:weights?|weighs?|pesos?|pesan?|\p{L}*gewichte?|wiegt|wiegen)$/u,
    told: valueOf(
      'kg|g|mg|t|lbs?|kilo(?:gram)?s?|grams?|kilogramos?|gramos?|gramm|kilogramm|tonn?es?|toneladas?|tonnen?|pounds?',
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

/** How surely a text tells the measure that a word asks for, 0 to 1: by a value of it. */
export function toldByValue(term: WeightedTerm, text: string): number {
  return measureOf(term)?.told.test(text) === true ? valueShare : 0;
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
