import { indexTerms } from '../platform/text/analyze.js';
import type { Language } from '../platform/text/languages.js';
import { kindSignsOf } from '../platform/text/answer-kinds.js';
import { splitSentences } from '../platform/text/sentences.js';
import { encodeFeatures, featuresOf } from '../platform/text/term-features.js';
import type { NewPassage } from './passages.repository.js';
import { passagesIn } from './split-passages.js';

/** A text that is to be found, before it is known where it stands. */
export interface IndexableText {
  title: string;
  content: string;
  language: Language;
}

export type AnalysedPassage = Pick<NewPassage, 'body' | 'titleTerms' | 'bodyTerms' | 'features'>;

/** The passages of texts that were analysed before. */
export interface AnalysedTexts {
  /** Undefined for any other text. */
  passagesOf(text: IndexableText): AnalysedPassage[] | undefined;
}

/** How long the other work of the process may be kept waiting at a time, in milliseconds. */
const stretchMs = 15;

/**
 * Analyses texts before the transaction that stores them: a long one takes most of a second, all of which the other
 * work of the process would stand still. Here it gets its turn between the passages.
 */
export async function analyseTexts(texts: readonly IndexableText[]): Promise<AnalysedTexts> {
  const analysed = new Map<string, AnalysedPassage[]>();
  let since = performance.now();
  for (const text of texts) {
    const passages: AnalysedPassage[] = [];
    for (const passage of analysedPassages(text)) {
      passages.push(passage);
      if (performance.now() - since < stretchMs) continue;
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
    }
    analysed.set(keyOf(text), passages);
  }
  return { passagesOf: (text) => analysed.get(keyOf(text)) };
}

/** The passages of a text with what they are found by, one after the other as they are asked for. */
export function* analysedPassages({
  title,
  content,
  language,
}: IndexableText): Generator<AnalysedPassage, void, undefined> {
  // A title alone is found too: an entry without text still says that its subject exists.
  for (const body of content.trim() === '' ? [''] : passagesIn(content)) {
    yield { body, ...analysePassage({ title, body, language }) };
  }
}

/** The terms of one passage, and what it is scored by. */
export function analysePassage({
  title,
  body,
  language,
}: Pick<IndexableText, 'title' | 'language'> & { body: string }): Omit<AnalysedPassage, 'body'> {
  const titleTerms = indexTerms(title, language);
  const texts = splitSentences(body).map(({ text }) => text);
  const terms = texts.map((text) => indexTerms(text, language));
  const bodyTerms = terms.flat();
  const sentences = terms.map(({ length }) => length);
  const kindSigns = texts.map(kindSignsOf);
  const features = featuresOf({ title, body, titleTerms, bodyTerms, sentences, kindSigns });
  return { titleTerms, bodyTerms, features: encodeFeatures(features) };
}

function keyOf({ title, content, language }: IndexableText): string {
  return `${language}\n${title}\n${content}`;
}
