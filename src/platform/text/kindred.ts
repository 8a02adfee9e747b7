import { indexTerms } from './analyze.js';
import type { Language } from './languages.js';

/** How the words of a language are inflected beyond what its stemmer takes together. */
interface Inflection {
  language: Language;
  /** What is taken off before and behind a word for its root. */
  prefix: RegExp;
  ending: RegExp;
  /** Letters that a root has at least. */
  shortestRoot: number;
  /** What may stand around a root instead. */
  prefixes: readonly string[];
  endings: readonly string[];
  /** What compounds with a noun of the root go on with: Öffn-ung-szeiten. */
  joined: string | undefined;
}

const inflections: readonly Inflection[] = [
  {
    language: 'de',
    prefix: /^ge/,
    ending: /^(?:e?te?[nst]?|e?test|e?n|e?st|end(?:e[nrsm]?)?|ung(?:en)?)$/,
    shortestRoot: 4,
    prefixes: ['', 'ge'],
    endings: ['en', 'n', 't', 'et', 'ung'],
    joined: 'ung',
  },
  {
    language: 'es',
    prefix: /^$/,
    ending:
      /^(?:[aei]r|[ae][ns]?|o|[aei]mos|ando|iendo|[ai]d[ao]s?|aron|ieron|i?ó|aba[ns]?|ía[ns]?)$/,
    shortestRoot: 3,
    prefixes: [''],
    endings: ['ar', 'er', 'ir', 'an', 'en', 'a', 'e', 'o', 'amos', 'emos', 'imos', 'ando', 'iendo'],
    joined: undefined,
  },
];

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
  const spoken = inflections.filter((one) => language === undefined || one.language === language);
  const found = spoken.flatMap((inflection) =>
    rootsOf(word, inflection).map((root) => around(root, inflection)),
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

function around(root: string, { language, prefixes, endings, joined }: Inflection): KindredWords {
  const forms = prefixes.flatMap((prefix) => endings.map((end) => prefix + root + end));
  return {
    terms: indexTerms(forms.join(' '), language),
    beginnings: joined === undefined ? [] : indexTerms(root + joined, 'other'),
  };
}
