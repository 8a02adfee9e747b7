import { indexTerms } from './analyze.js';
import type { Inflection, Language } from './language-pack.js';
import { languagePacks } from './packs.js';

export interface KindredWords {
  /** Terms of an index under which other forms of the word stand: those of öffnet, geöffnet and Öffnung for öffnen. */
  terms: readonly string[];
  /** Beginnings of compounds with one of them. */
  beginnings: readonly string[];
}

/**
 * What a word may be in another form where the stemmer of its language does not tell: öffnet has another stem than
 * öffnen. Most of it is no word at all, so that it serves to look up what is otherwise unknown, and nothing else.
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

/** Each way to take off what may be an ending: öffn-et, but liefer-t. */
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
