import type { App } from '../platform/app.js';
import type { QueryTerm } from '../platform/text/analyze.js';
import { editDistance } from '../platform/text/edit-distance.js';
import { foldAccents } from '../platform/text/fold.js';
import { isWord } from '../platform/text/vocabulary.js';
import { findCompounds, findNeighbours } from './vocabulary.repository.js';

/** Words of the index that a question's words may have to do with. */
export interface RelatedWords {
  /**
   * Those that hold a word of the question as a part (Lager: Lagertemperatur), or that may be parts of one
   * (Lagertemperatur: Lager and Temperatur).
   */
  compounds: string[];
  /** Those that an unknown word may be misspelt from. */
  meant: Map<QueryTerm, string[]>;
}

/** Compounds of one word. */
const mostCompounds = 12;
/** Letters that a part of a compound has at least. */
const shortestPart = 4;
/** Letters from which on two slips of the finger are one word still. */
const longWord = 8;

/** Looks the words up in the vocabulary of the index; function words and short ones are related to nothing. */
export async function findRelated(
  app: Pick<App, 'db'>,
  terms: QueryTerm[],
  isKnown: (term: QueryTerm) => boolean,
): Promise<RelatedWords> {
  const compounds = new Set<string>();
  const meant = new Map<QueryTerm, string[]>();
  await Promise.all(
    terms
      .filter((term) => !term.isStopWord && isWord(term.text))
      .map(async (term) => {
        const forms = [...new Set([term.text, ...term.variants])].filter(isWord);
        // The shortest form has the others' endings off: compounds join stems.
        const stem = forms.reduce((one, other) => (other.length < one.length ? other : one));
        const wholes = await findCompounds(app, stem, mostCompounds);
        for (const word of [...wholes, ...forms.flatMap(partsOf)]) compounds.add(word);
        if (isKnown(term)) return;
        const alike = await findNeighbours(app, foldAccents(term.text));
        const words = alike.filter((word) => forms.some((form) => isSlip(form, word)));
        if (words.length > 0) meant.set(term, words);
      }),
  );
  return { compounds: [...compounds], meant };
}

/** One letter left out, added, changed or moved; two in a long word. The first one is right. */
function isSlip(typed: string, word: string): boolean {
  if (typed[0] !== word[0]) return false;
  const most = typed.length >= longWord ? 2 : 1;
  return editDistance(typed, word) <= most || lettersOf(typed) === lettersOf(word);
}

function lettersOf(word: string): string {
  return Array.from(word).sort().join('');
}

/** The beginnings and ends of a word that may be words by themselves, where the rest may be one too. */
function partsOf(word: string): string[] {
  const cuts = Math.max(0, word.length - 2 * shortestPart + 1);
  return Array.from({ length: cuts }, (_, index) => shortestPart + index).flatMap((cut) => [
    word.slice(0, cut),
    word.slice(cut),
  ]);
}
