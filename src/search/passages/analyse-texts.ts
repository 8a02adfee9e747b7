import { indexTerms } from '../../language/analyze.js';
import type { Language } from '../../language/language-pack.js';
import { kindSignsOf } from '../../language/answer-kinds.js';
import { splitSentences } from '../../language/sentences.js';
import { encodeFeatures, featuresOf } from '../../language/term-features.js';
import { withoutLinks } from '../../platform/text/source-links.js';
import { giveTurns } from '../../platform/workers/give-turns.js';
import type { NewPassage } from './passages.repository.js';
import { passagesIn } from './split-passages.js';

/** A text to index, independent of its rights. */
export interface IndexableText {
  title: string;
  content: string;
  language: Language;
}

export type AnalysedPassage = Pick<NewPassage, 'body' | 'titleTerms' | 'bodyTerms' | 'features'>;

export interface AnalysedTexts {
  /** Undefined for any other text. */
  passagesOf(text: IndexableText): AnalysedPassage[] | undefined;
}

/**
 * Analyses texts before the transaction that stores them. A long text takes most of a second, which would block the
 * process; here, other work gets a turn between the passages.
 */
export async function analyseTexts(texts: readonly IndexableText[]): Promise<AnalysedTexts> {
  const analysed = new Map<string, AnalysedPassage[]>();
  const giveTurn = giveTurns();
  for (const text of texts) {
    const passages: AnalysedPassage[] = [];
    for (const passage of analysedPassages(text)) {
      passages.push(passage);
      await giveTurn();
    }
    analysed.set(keyOf(text), passages);
  }
  return { passagesOf: (text) => analysed.get(keyOf(text)) };
}

/** Texts that were analysed at different times. */
export function togetherOf(parts: readonly AnalysedTexts[]): AnalysedTexts {
  return {
    passagesOf(text) {
      for (const part of parts) {
        const found = part.passagesOf(text);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

/** The passages of a text with their search data, computed one by one. */
export function* analysedPassages({
  title,
  content,
  language,
}: IndexableText): Generator<AnalysedPassage, void, undefined> {
  // A title alone is indexed too: an entry without text still says that its subject exists.
  // Links within a source are for readers: their addresses are no words that anybody looks for.
  for (const body of content.trim() === '' ? [''] : passagesIn(withoutLinks(content))) {
    yield { body, ...analysePassage({ title, body, language }) };
  }
}

/** The terms of one passage, and the features for scoring it. */
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
