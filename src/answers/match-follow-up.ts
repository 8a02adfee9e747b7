import { queryTerms } from '../language/analyze.js';
import type { WeightedTerm } from '../search/search-passages.js';
import { asksForChange, namesSetting, settingsIn, tellsChange } from '../language/answer-kinds.js';
import type { AnswerKind } from '../language/language-pack.js';
import { standsFor } from './judge-passage.js';
import { isAspect } from './follow-up.js';
import { matchOf } from './match-words.js';
import { tellsMeasures } from './match-values.js';
import { shareOf, type WeighedPassage, type WeighedUnit } from './weigh-passages.js';

export interface FollowUpContext {
  /** Earlier questions, or the content of the page. */
  topic: string;
  /** The previous answer; '' when there is none. */
  said: string;
  /** True when the message refers to the topic by a pronoun such as "it". */
  hasPronoun: boolean;
}

/** The weight of the context's words relative to the message's own. */
const topicShare = 0.4;
/** The share of a message's own words that a passage must contain, whatever else it contains. */
const ownShare = 0.5;
/** The score of an already quoted sentence, when the message names nothing itself. */
const saidScore = -1;
/** The score of the text after a quotation for "how" questions: the solution often follows. */
const nextScore = 4;
/** Kinds of answers that are recognized by their words. Without such words, a quotation would not answer. */
const told: ReadonlySet<AnswerKind> = new Set([
  'frequency',
  'duration',
  'number',
  'time',
  'reason',
]);
/** For a requested change: the scores for naming the setting, and for sharing all words with the quotation. */
const settingScore = 3;
const sharedScore = 8;

/** Weights the message's own words higher than its context. */
export function weightOwnWords(
  terms: WeightedTerm[],
  ownWords: ReadonlySet<string> = new Set(),
): WeightedTerm[] {
  return terms.map((term) =>
    ownWords.has(term.text) ? term : { ...term, weight: term.weight * topicShare },
  );
}

/** The passages that contain enough of a message's own words; all of them for a message without any. */
export function holdingOwnWords(
  weighed: WeighedPassage[],
  terms: WeightedTerm[],
  ownWords: ReadonlySet<string>,
  least = ownShare,
): WeighedPassage[] {
  if (ownWords.size === 0) return weighed;
  const own = terms.map((term) => (ownWords.has(term.text) ? term : { ...term, weight: 0 }));
  return weighed.filter(({ matches }) => shareOf(own, matches) >= least);
}

/**
 * Finds new text for a message with words of its own. If it says "it", the passage must contain a word of the topic. A
 * quoted sentence without any new word does not answer the addition.
 */
export function matchAddedWords(
  { said, hasPronoun }: FollowUpContext,
  weighed: WeighedPassage[],
  terms: WeightedTerm[],
  ownWords: ReadonlySet<string>,
): WeighedPassage[] {
  const own = terms.filter((term) => ownWords.has(term.text));
  const names = topicWords(terms.filter((term) => !ownWords.has(term.text)));
  const isAbout = ({ matches }: WeighedPassage) =>
    terms.some((term, index) => names.has(term.text) && (matches[index] ?? 0) >= standsFor);
  const adds = (unit: WeighedUnit) =>
    !isSaid(unit, { said }) || own.some((term) => matchOf(term, unit.words) >= standsFor);
  return weighed
    .filter((one) => !hasPronoun || names.size === 0 || isAbout(one))
    .map((one) => ({ ...one, units: one.units.filter(adds) }))
    .filter(({ units }) => units.length > 0);
}

/** A message without a subject of its own. */
interface BareFollowUp {
  message: string;
  kind: AnswerKind | undefined;
  /** The previous answer. */
  said: string;
}

/**
 * The passages that answer a message without a subject ("why?", "how long does that take?"), with the sentences of the
 * requested kind. Sentences in the passages of the last answer come first, then any with the context's words.
 */
export function matchBareFollowUp(
  weighed: WeighedPassage[],
  terms: WeightedTerm[],
  followUp: BareFollowUp,
): WeighedPassage[] {
  const quoted = quotedIn(weighed, followUp);
  const among = (passages: WeighedPassage[]) =>
    passages.flatMap((one) => {
      const fitting = one.units.filter((unit) => fits(unit, followUp));
      const next = fitting.filter((unit) => isNext(unit, one.units, followUp));
      // Text in the same item as the quotation is only about it. Other items are about other things.
      const bound = next.filter(({ continues }) => continues);
      const units = bound.length > 0 ? bound : fitting;
      const scored = units.map((unit) => ({ ...unit, score: scoreOf(unit, one.units, followUp) }));
      return scored.length === 0 ? [] : [{ ...one, units: scored }];
    });
  // The setting that changes something is often elsewhere.
  const going = asksForChange(followUp.message) ? [] : among(quoted);
  return going.length > 0 ? going : among(holdingOwnWords(weighed, terms, topicWords(terms)));
}

function topicWords(terms: WeightedTerm[]): ReadonlySet<string> {
  const telling = terms.filter((term) => !term.isStopWord && !isAspect(term.text));
  return new Set(telling.map(({ text }) => text));
}

function fits(unit: WeighedUnit, followUp: BareFollowUp): boolean {
  const { kind, message } = followUp;
  if (asksForChange(message))
    return (isSaid(unit, followUp) ? namesSetting : tellsChange)(unit.text);
  // "How long" asks for a time as well as for a length.
  if (kind !== 'duration' && !tellsMeasures(message, unit.text)) return false;
  return kind === undefined || !told.has(kind) || unit.signs.kind > 0;
}

function scoreOf(unit: WeighedUnit, units: WeighedUnit[], followUp: BareFollowUp): number {
  const change = asksForChange(followUp.message) ? changeScore(unit, followUp.said) : 0;
  const next = isNext(unit, units, followUp) ? nextScore : 0;
  return unit.score + change + (isSaid(unit, followUp) ? saidScore : next);
}

/** True when a unit directly follows the quotation of a "how" question. */
function isNext(unit: WeighedUnit, units: readonly WeighedUnit[], followUp: BareFollowUp): boolean {
  if (followUp.kind !== 'way' || isSaid(unit, followUp)) return false;
  const before = units.find(({ position }) => position === unit.position - 1);
  return before !== undefined && isSaid(before, followUp);
}

/**
 * The score of a setting: it must share words with the quotation, as in "valid for 15 minutes" and "15 | Validity of a
 * token". If the setting's name was already quoted, its own row says more than the quotation.
 */
function changeScore(unit: WeighedUnit, said: string): number {
  const { text, words, head } = unit;
  const isNamed = settingsIn(text).some((name) => said.includes(name));
  const isNewRow = head !== undefined && !isSaid(unit, { said });
  if (isNamed) return settingScore + sharedScore + (isNewRow ? sharedScore : 0);
  const telling = queryTerms(said).filter((term) => !term.isStopWord);
  const shared = telling.filter(({ variants }) => variants.some((form) => words.forms.has(form)));
  const overlap = shared.length / Math.max(1, telling.length);
  return sharedScore * overlap + (namesSetting(text) ? settingScore : 0);
}

/** The passages that the previous answer quoted: a reference by position ("the last one") points there. */
export function quotedIn(
  weighed: WeighedPassage[],
  { said }: Pick<FollowUpContext, 'said'>,
): WeighedPassage[] {
  return weighed.filter(({ units }) => units.some((unit) => isSaid(unit, { said })));
}

function isSaid({ text }: WeighedUnit, { said }: Pick<FollowUpContext, 'said'>): boolean {
  return said.includes(text);
}
