import { signsHoldKind } from '../../language/answer-kinds.js';
import type { AnswerKind } from '../../language/language-pack.js';
import { isNameOrNumber } from '../../language/analyze.js';
import { hasDigit } from '../../language/numbers.js';
import { isSentenceMark, sentenceMark } from '../../language/term-features.js';
import { guessedShare, type ScoredTerm } from './weigh-terms.js';

/** Scores by the positions of words, as shares of the question's weight. */
export interface SentenceScore {
  /** The share in its best sentence or title, with the sentence before and the title. Names count double. */
  sentence: number;
  /** The largest share in a run of `windowLength` words, across sentence ends. */
  window: number;
  /** The share of words that are adjacent as in the question; slightly over 1 when all are. */
  phrase: number;
}

/** The weight of a word that occurs not in the sentence, but in the previous one or in the title. */
const contextShares = { before: 0.2, title: 0.6 };
/** The influence of a sentence's length, and the average length in words. */
const length = { share: 0.2, average: 20 };
/** The weight of a name or number in a sentence: other words are more often replaced by synonyms. */
const nameShare = 2;
/** The factor for a sentence without the requested kind: no year for a "when" question. */
const otherKindShare = 0.87;
/** The words of a window. The end of a sentence counts as one word. */
const windowLength = 16;
/** The largest distance between adjacent words of the question: one word may be between them. */
const furthest = 2;

const none: readonly number[] = [];

/**
 * Scores passages by the stored order of their stems and the positions of the matches. `forms` assigns the positions to
 * terms, `weights` belong to the terms, and `kind` is the kind of answer that the question wants.
 */
export function createSentenceScorer(
  terms: readonly ScoredTerm[],
  forms: readonly number[][],
  weights: readonly number[],
  kind: AnswerKind | undefined,
): (order: Uint16Array, places: Uint16Array) => SentenceScore {
  const shares = sharesOf(terms, weights);
  const named = sharesOf(
    terms,
    terms.map((term, index) => (weights[index] ?? 0) * (isNameOrNumber(term) ? nameShare : 1)),
  );
  const shareOf = (term: number) => shares[term] ?? 0;
  const namedShareOf = (term: number) => named[term] ?? 0;
  /** The section in which a term last occurred; the title is 0. */
  const lastIn = new Int32Array(terms.length);
  /** The position at which it last occurred. */
  const lastAt = new Int32Array(terms.length);
  const inTitle = new Uint8Array(terms.length);
  const holdsKind = kindFinder(terms, kind, lastIn);
  /** For each term and distance: whether it followed another term there. */
  const followed = new Uint8Array(terms.length * furthest);
  const meant = createMeant(forms);

  return (order, places) => {
    meant.read(places);
    lastIn.fill(-1);
    lastAt.fill(-windowLength);
    inTitle.fill(0);
    followed.fill(0);
    let phrase = 0;
    let sentence = 0;
    let window = 0;
    let section = 0;
    let titled = 0;
    let own = 0;
    /** The shares in the previous section and in the title, without those in the section itself. */
    let before = 0;
    let above = 0;
    let start = 0;
    let mark = 0;
    let previous = none;
    let second = none;
    for (let at = 0; at <= order.length; at++) {
      const place = order[at] ?? 0;
      if (!isSentenceMark(place)) {
        const here = meant.at(place);
        for (const term of here) {
          lastAt[term] = at;
          if (lastIn[term] !== section) {
            own += namedShareOf(term);
            if (lastIn[term] === section - 1 && section > 1) before -= namedShareOf(term);
            if (inTitle[term] === 1) above -= namedShareOf(term);
            lastIn[term] = section;
          }
          for (let distance = 1; distance <= furthest; distance++) {
            const leader = term - distance;
            const one = term * furthest + distance - 1;
            if (!(distance === 1 ? previous : second).includes(leader) || followed[one] === 1)
              continue;
            followed[one] = 1;
            phrase += (shareOf(leader) + shareOf(term)) / (2 * distance);
          }
        }
        if (here.length > 0)
          window = Math.max(window, heldSince(at - windowLength, lastAt, shares));
        second = previous;
        previous = here;
        continue;
      }
      // The section ends here.
      const scale = 1 - length.share + length.share * Math.sqrt((at - start) / length.average);
      const held = own + contextShares.before * before + contextShares.title * above;
      const kindShare = holdsKind(mark, section) ? 1 : otherKindShare;
      sentence = Math.max(sentence, (held / scale) * kindShare);
      if (section === 0) {
        titled = own;
        for (let term = 0; term < terms.length; term++) if (lastIn[term] === 0) inTitle[term] = 1;
      }
      before = section > 0 ? own : 0;
      above = titled;
      own = 0;
      section++;
      start = at + 1;
      mark = place;
      previous = none;
      second = none;
    }
    meant.clear();
    return { sentence, window, phrase };
  };
}

/** Finds the terms at the positions of one passage after the other. */
function createMeant(forms: readonly number[][]) {
  const meant = new Map<number, number[]>();
  /** A quick check: at most places no term matches. */
  const isMeant = new Uint8Array(sentenceMark);
  return {
    read(places: Uint16Array): void {
      for (const [index, own] of forms.entries()) {
        for (const form of own) {
          const place = places[form] ?? 0;
          if (place === 0) continue;
          const others = meant.get(place);
          if (others === undefined) meant.set(place, [index]);
          else if (others.at(-1) !== index) others.push(index);
          isMeant[place] = 1;
        }
      }
    },
    at: (place: number): readonly number[] =>
      isMeant[place] === 1 ? (meant.get(place) ?? none) : none,
    clear(): void {
      for (const place of meant.keys()) isMeant[place] = 0;
      meant.clear();
    },
  };
}

/**
 * True when a section contains the requested kind of answer besides the question's words, or is unknown. `lastIn`: the
 * section of each term's last occurrence.
 */
function kindFinder(
  terms: readonly ScoredTerm[],
  kind: AnswerKind | undefined,
  lastIn: Int32Array,
): (mark: number, section: number) => boolean {
  const isNumber = terms.map(({ text }) => hasDigit(text));
  const isName = terms.map(({ isCapitalized }) => isCapitalized === true);
  return (mark, section) => {
    if (kind === undefined || mark < sentenceMark) return true;
    const asked = { names: 0, numbers: 0 };
    for (let term = 0; term < terms.length; term++) {
      if (lastIn[term] !== section) continue;
      if (isNumber[term] === true) asked.numbers++;
      if (isName[term] === true) asked.names++;
    }
    return signsHoldKind(mark - sentenceMark, kind, asked);
  };
}

/** Each term's share of the total weight. A guess for a misspelt word has less. */
function sharesOf(terms: readonly ScoredTerm[], weights: readonly number[]): Float64Array {
  const total = Math.max(
    Number.MIN_VALUE,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  return Float64Array.from(
    terms,
    (term, index) => ((weights[index] ?? 0) * (term.known ? 1 : guessedShare)) / total,
  );
}

/** The shares of the terms that last occurred after a position. */
function heldSince(place: number, lastAt: Int32Array, shares: Float64Array): number {
  let held = 0;
  for (let term = 0; term < lastAt.length; term++) {
    if ((lastAt[term] ?? 0) > place) held += shares[term] ?? 0;
  }
  return held;
}
