import type { WeightedTerm } from '../retrieval/search-passages.js';
import type { AnswerKind } from './answer-kinds.js';
import { shareOf, type WeighedPassage } from './weigh-passages.js';

/** What a message goes on with. */
export interface Context {
  /** What it leans on: earlier questions, or what the page shows. */
  topic: string;
  /** The answer before it; '' where there is none. */
  said: string;
}

/** What a word counts that the message leans on, beside its own. */
const topicShare = 0.4;
/** Share of a message's own words that a passage must hold, whatever it holds of what the message leans on. */
const ownShare = 0.5;
/** What having been said already counts where a message names nothing of its own. */
const saidScore = -1;
/** Kinds of answers that are surely told by their words: without them, what is quoted would be none. */
const told: ReadonlySet<AnswerKind> = new Set([
  'frequency',
  'duration',
  'number',
  'time',
  'reason',
]);

/** The words with those of the message weighing more than what it leans on. */
export function leaned(
  terms: WeightedTerm[],
  ownWords: ReadonlySet<string> = new Set(),
): WeightedTerm[] {
  return terms.map((term) =>
    ownWords.has(term.text) ? term : { ...term, weight: term.weight * topicShare },
  );
}

/** The passages that hold enough of a message's own words; all of them for a message that has none. */
export function holding(
  weighed: WeighedPassage[],
  terms: WeightedTerm[],
  ownWords: ReadonlySet<string>,
): WeighedPassage[] {
  if (ownWords.size === 0) return weighed;
  const own = terms.map((term) => (ownWords.has(term.text) ? term : { ...term, weight: 0 }));
  return weighed.filter(({ matches }) => shareOf(own, matches) >= ownShare);
}

/**
 * The passages that answer a message which names nothing of its own ("why?", "how long does that take?"): those
 * that the last answer quoted, where it did, with the sentences that hold the kind of thing asked for.
 */
export function goingOn(
  weighed: WeighedPassage[],
  kind: AnswerKind | undefined,
  said: string,
): WeighedPassage[] {
  const mustFit = kind !== undefined && told.has(kind);
  const quoted = weighed.filter(({ units }) => units.some(({ text }) => said.includes(text)));
  return (quoted.length > 0 ? quoted : weighed).flatMap((one) => {
    const units = one.units
      .filter((unit) => !mustFit || unit.signs.kind > 0)
      .map((unit) => ({
        ...unit,
        score: unit.score + (said.includes(unit.text) ? saidScore : 0),
      }));
    return units.length === 0 ? [] : [{ ...one, units }];
  });
}
