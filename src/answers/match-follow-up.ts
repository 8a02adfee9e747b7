import { queryTerms } from '../language/analyze.js';
import type { WeightedTerm } from '../search/search-passages.js';
import { asksForChange, namesSetting, settingsIn, tellsChange } from '../language/answer-kinds.js';
import type { AnswerKind } from '../language/language-pack.js';
import { standsFor } from './judge-passage.js';
import { isAspect } from './follow-up.js';
import { matchOf } from './match-words.js';
import { tellsMeasures } from './match-values.js';
import { shareOf, type WeighedPassage, type WeighedUnit } from './weigh-passages.js';

/** What a message goes on with. */
export interface FollowUpContext {
  /** What it leans on: earlier questions, or what the page shows. */
  topic: string;
  /** The answer before it; '' where there is none. */
  said: string;
  /** Whether the message speaks of the topic as "it" or the like. */
  hasPronoun: boolean;
}

/** What a word counts that the message leans on, beside its own. */
const topicShare = 0.4;
/** Share of a message's own words that a passage must hold, whatever it holds of what the message leans on. */
const ownShare = 0.5;
/** What having been said already counts where a message names nothing of its own. */
const saidScore = -1;
/** What standing directly behind it counts where a way is asked for: what to do about it is said next. */
const nextScore = 4;
/** Kinds of answers that are surely told by their words: without them, what is quoted would be none. */
const told: ReadonlySet<AnswerKind> = new Set([
  'frequency',
  'duration',
  'number',
  'time',
  'reason',
]);
/** Where a change is asked for: what naming the setting counts, and what sharing all words with what was said. */
const settingScore = 3;
const sharedScore = 8;

/** The words with those of the message weighing more than what it leans on. */
export function weightOwnWords(
  terms: WeightedTerm[],
  ownWords: ReadonlySet<string> = new Set(),
): WeightedTerm[] {
  return terms.map((term) =>
    ownWords.has(term.text) ? term : { ...term, weight: term.weight * topicShare },
  );
}

/** The passages that hold enough of a message's own words; all of them for a message that has none. */
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
 * What a message with words of its own finds beyond what was said. Where it speaks of that as "it", the passage must hold
 * a word of it. A sentence that was just quoted and has none of the new words is no answer to what they add.
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

/** A message that names nothing of its own. */
interface BareFollowUp {
  message: string;
  kind: AnswerKind | undefined;
  /** The answer before it. */
  said: string;
}

/**
 * The passages that answer a message which names nothing of its own ("why?", "how long does that take?"), with the
 * sentences that hold the kind of thing asked for: those that the last answer quoted where they do, else any
 * that hold what the message goes on with.
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
      // What stands in one item with what was said is about that alone; other items are about other things.
      const bound = next.filter(({ continues }) => continues);
      const units = bound.length > 0 ? bound : fitting;
      const scored = units.map((unit) => ({ ...unit, score: scoreOf(unit, one.units, followUp) }));
      return scored.length === 0 ? [] : [{ ...one, units: scored }];
    });
  // What changes a thing often stands elsewhere: among the settings.
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

/** Whether a unit stands directly behind what was said, where a way is asked for. */
function isNext(unit: WeighedUnit, units: readonly WeighedUnit[], followUp: BareFollowUp): boolean {
  if (followUp.kind !== 'way' || isSaid(unit, followUp)) return false;
  const before = units.find(({ position }) => position === unit.position - 1);
  return before !== undefined && isSaid(before, followUp);
}

/**
 * A setting changes what was said if it shares words with it: "valid for 15 minutes", "15 | Validity of a token". Where
 * its name was said already, its own row says more of it than saying that again.
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

/** The passages that the answer before quoted: what a message means by its place ("the last one") stands there. */
export function quotedIn(
  weighed: WeighedPassage[],
  { said }: Pick<FollowUpContext, 'said'>,
): WeighedPassage[] {
  return weighed.filter(({ units }) => units.some((unit) => isSaid(unit, { said })));
}

function isSaid({ text }: WeighedUnit, { said }: Pick<FollowUpContext, 'said'>): boolean {
  return said.includes(text);
}
