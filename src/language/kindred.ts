import { indexTerms } from './analyze.js';
import type { Inflection, Language } from './language-pack.js';
import { languagePacks } from './packs.js';

export interface KindredWords {
  /** Index terms of the word's other forms: those of öffnet, geöffnet and Öffnung for öffnen. */
  terms: readonly string[];
  /** Beginnings of compounds with one of them. */
  beginnings: readonly string[];
}

/**
 * Possible related forms of a word that the language's stemmer does not connect: öffnet and öffnen have different
 * stems. Many results are no words, so use this only to look up unknown words.
 */
export function kindredOf(word: string, language: Language | undefined): KindredWords {
  const found = languagePacks.flatMap(({ language: own, inflection }) =>
    inflection === undefined || (language !== undefined && language !== own)
      ? []
      : rootsOf(word, inflection).map((root) => around(root, own, inflection)),
  );
  return {
    terms: [...new Set(found.flatMap(({ terms }) => terms))],
    beginnings: [...new Set(found.flatMap(({ beginnings }) => beginnings))],
  };
}

/** The possible roots without an ending: öffn-et, but liefer-t. */
function rootsOf(word: string, { prefix, ending, shortestRoot }: Inflection): string[] {
  const roots = [word, word.replace(prefix, '')].flatMap((one) =>
    Array.from({ length: one.length }, (_, cut) => one.slice(0, cut)).filter(
      (root) => root.length >= shortestRoot && ending.test(one.slice(root.length)),
    ),
  );
  return [...new Set(roots)];
}

function around(
  root: string,
  language: Language,
  { prefixes, endings, joined }: Inflection,
): KindredWords {
  const forms = prefixes.flatMap((prefix) => endings.map((end) => prefix + root + end));
  return {
    terms: indexTerms(forms.join(' '), language),
    beginnings: joined === undefined ? [] : indexTerms(root + joined, 'other'),
  };
}
