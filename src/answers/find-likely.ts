import type { App } from '../platform/app.js';
import type { AnswerKind, Language } from '../language/language-pack.js';
import type { Place } from '../search/passages/place.js';
import type { SearchScope } from '../search/passages/scope.js';
import { searchPassages, type FoundPassage, type WeightedTerm } from '../search/search-passages.js';
import { kindOf } from '../language/answer-kinds.js';
import { numbersIn } from '../language/numbers.js';
import { chooseLanguage } from './choose-language.js';
import {
  matchAddedWords,
  matchBareFollowUp,
  holdingOwnWords,
  weightOwnWords,
  quotedIn,
  type FollowUpContext,
} from './match-follow-up.js';
import {
  asksUnknown,
  hasEvidence,
  likelihood,
  namesIn,
  signsOf,
  tellsMeasure,
  type QuestionFacts,
} from './judge-passage.js';
import { isAspect, refersByPosition, subjectsIn } from './follow-up.js';
import { nearness, type Nearness } from './near-by-meaning.js';
import { isHeading } from './small-talk.js';
import { asksMeasure } from './match-values.js';
import { tellsContrary, withPermission } from './match-verbs.js';
import type { AskedPage, Turn } from './question-context.js';
import { raiseByPage } from './raise-by-page.js';
import { isForeign, isHeadedBy, weighPassages, type WeighedPassage } from './weigh-passages.js';

/** The asker, the page and the conversation of a question. */
export interface Around {
  scope: SearchScope;
  place: Place | undefined;
  page: AskedPage | undefined;
  history: Turn[];
}

export interface OneQuestion {
  message: string;
  isTalk: boolean;
}

/** A question with additional search words. */
export interface Lookup extends OneQuestion {
  /** Words of the message that a passage must contain; undefined when all words may be weighed. */
  ownWords?: ReadonlySet<string> | undefined;
  /** The share of them that is required; default: half. */
  ownShare?: number | undefined;
  context?: FollowUpContext | undefined;
}

export interface Likely {
  /** The language of the question, by its context if its words do not show it; the answer uses it. */
  language: Language;
  /** The kind of answer that the question wants; undefined when unclear. */
  kind: AnswerKind | undefined;
  /** The words of the question with their weights. */
  terms: WeightedTerm[];
  /** Passages that likely contain the answer, best first. */
  passages: FoundPassage[];
  /** Those of them that may be quoted, with the signs for each sentence. */
  weighed: WeighedPassage[];
  /** All passages whose likelihood was estimated, including those that are not relevant. */
  judged: JudgedPassage[];
}

export type Quotable = Pick<Likely, 'kind' | 'weighed'>;

/** The probability that a passage contains the answer, and the required probability; 0 to 1. */
export interface JudgedPassage {
  passage: FoundPassage;
  likelihood: number;
  needed: number;
  /** True when it contains a word of the question in any form, or is similar by meaning. */
  evident: boolean;
}

/** The required probability of a further passage beside one that is likely enough, as a share. */
const besideShare = 0.5;
/** The share of a question's weight that function words have alone. */
const hardlyAny = 0.05;
/** Additional passages from which the page may raise some. */
const spare = 6;
/**
 * Additional passages among which a definition is looked for, because many passages name a thing but few define it;
 * also the section about an action, which few of several manuals describe.
 */
const manySpare = 24;

/** Finds the passages that likely answer a question: searches, weighs their sentences, and judges them. */
export async function findLikely(
  app: App,
  around: Around,
  { message, isTalk, ownWords, ownShare, context }: Lookup,
): Promise<Likely> {
  const { min_relevance: minimum, min_similarity: similarity, mode } = app.config.answers;
  const asked = { message, ownWords, context };
  const { facts, asksNothing, all, weighed } = await weighFound(app, around, asked);
  const { kind, terms, language } = facts;
  const likelihoods = judge(facts, weighed);
  const likelihoodOf = (one: WeighedPassage) => likelihoods.get(one.passage) ?? 0;
  const { best, mayBeRead } = ownFirst(weighed, language, likelihoods, minimum);
  const neededOf = (one: WeighedPassage) => {
    if (best < minimum) return minimum;
    if (!mayBeRead(one)) return 1;
    return isForeign(one.passage, language) ? best : minimum * besideShare;
  };
  const relevant = weighed.filter(
    (one) =>
      (!asksNothing && best >= minimum && likelihoodOf(one) >= neededOf(one)) ||
      // "What can you do?" has no content word, so only a heading with these words counts.
      (isTalk && isHeading(one.passage, message)),
  );
  const found = (read: WeighedPassage[], quotable = read): Likely => ({
    language,
    kind,
    terms,
    passages: read.map(({ passage }) => passage),
    weighed: quotable,
    judged: weighed.map((one) => {
      const isByMeaning = read.includes(one) && !relevant.includes(one);
      return {
        passage: one.passage,
        likelihood: likelihoodOf(one),
        // A passage with a close meaning needs no likelihood by its words.
        needed: isByMeaning ? 0 : neededOf(one),
        evident: isByMeaning || hasEvidence(terms, one),
      };
    }),
  });
  // A follow-up is matched by its words only. With its topic added, everything near the topic would be near to it.
  if (context !== undefined || ownWords !== undefined) {
    return found(matchOwnWords(relevant, terms, kind, { message, ownWords, ownShare, context }));
  }
  const near = nearByMeaning(facts, asksNothing ? [] : all, similarity);
  const quotable = all.filter((one) => relevant.includes(one) || near.get(one) === 'surely');
  const readable = all.filter((one) => quotable.includes(one) || near.get(one) === 'perhaps');
  return found(mode === 'extractive' ? quotable : readable, quotable);
}

/** How near each passage is by its meaning. Judged last, because without vectors nothing is near. */
function nearByMeaning(
  facts: QuestionFacts,
  all: readonly WeighedPassage[],
  similarity: number,
): Map<WeighedPassage, Nearness> {
  return new Map(
    all.map((one) => {
      const nearby = nearness(one.passage, similarity);
      // A close meaning does not replace a missing name.
      const lacksName = nearby !== 'no' && signsFor(facts, one).unknownNames > hardlyAny;
      return [one, lacksName ? 'no' : nearby];
    }),
  );
}

/**
 * Searches for a question and weighs the found passages by their sentences. Returns all of them, the best ones, and the
 * facts by which they are judged.
 */
async function weighFound(
  app: App,
  { scope, place, page, history }: Around,
  { message, ownWords, context }: Pick<Lookup, 'message' | 'ownWords' | 'context'>,
) {
  const { max_passages: wanted } = app.config.answers;
  const text = context === undefined ? message : `${message}\n${context.topic}`;
  const kind = kindOf(message);
  const further = kind === 'meaning' || kind === 'way' ? manySpare : spare;
  const found = await searchPassages(app, { text, scope, place, limit: wanted + further });
  const raised = raiseByPage(found.passages, page);
  // Function words occur in every text.
  const asksNothing = found.terms.every((term) => term.isStopWord);
  const telling = withoutSubject(
    withPermission(found.terms, kind).map((term) => withoutAspect(term, kind)),
    message,
  );
  const terms = context === undefined ? telling : weightOwnWords(telling, ownWords);
  const passages = raised.filter(
    (passage, rank) => rank < wanted || kind === 'meaning' || isHeadedBy(terms, passage),
  );
  const language = chooseLanguage(message, { history, page }, found.passages);
  const all = weighPassages(message, terms, passages, kind, language);
  const names = namesIn(text, terms, language);
  const facts = { kind, terms, language, names, numbers: numbersIn(message) };
  return { facts, asksNothing, all, weighed: bestOf(all, wanted) };
}

function signsFor(facts: QuestionFacts, one: WeighedPassage) {
  return signsOf(facts, one, isForeign(one.passage, facts.language));
}

/** The probability that each passage contains the answer, 0 to 1. */
function judge(
  facts: QuestionFacts,
  weighed: readonly WeighedPassage[],
): Map<FoundPassage, number> {
  const { kind, terms } = facts;
  const likelihoodOf = (one: WeighedPassage) =>
    !hasEvidence(terms, one) ||
    asksUnknown(facts, one) ||
    !tellsMeasure(kind, one) ||
    tellsContrary(terms, kind, one)
      ? 0
      : likelihood(signsFor(facts, one));
  return new Map(weighed.map((one) => [one.passage, likelihoodOf(one)]));
}

/** For a follow-up, or one of several questions: the passages that its own words support. */
function matchOwnWords(
  relevant: WeighedPassage[],
  terms: WeightedTerm[],
  kind: AnswerKind | undefined,
  { message, ownWords, ownShare, context }: Omit<Lookup, 'isTalk'>,
): WeighedPassage[] {
  const meant =
    context !== undefined && refersByPosition(message) ? quotedIn(relevant, context) : relevant;
  const own = ownWords === undefined ? meant : holdingOwnWords(meant, terms, ownWords, ownShare);
  if (context === undefined || ownWords === undefined) return own;
  return ownWords.size === 0
    ? matchBareFollowUp(own, terms, { message, kind, said: context.said })
    : matchAddedWords(context, own, terms, ownWords);
}

/**
 * The readable passages, and the probability of the best one. Passages in another language are read only if the asker's
 * own language has nothing, or if they cover more of the question.
 */
function ownFirst(
  weighed: readonly WeighedPassage[],
  language: Language,
  likely: ReadonlyMap<FoundPassage, number>,
  minimum: number,
): { best: number; mayBeRead: (one: WeighedPassage) => boolean } {
  const own = weighed.filter(({ passage }) => !isForeign(passage, language));
  const bestOf = (among: readonly WeighedPassage[]) =>
    Math.max(0, ...among.map(({ passage }) => likely.get(passage) ?? 0));
  if (bestOf(own) >= minimum) {
    return { best: bestOf(own), mayBeRead: ({ passage }) => !isForeign(passage, language) };
  }
  const most = Math.max(0, ...own.map(({ coverage }) => coverage));
  const mayBeRead = ({ passage, coverage }: WeighedPassage) =>
    !isForeign(passage, language) || coverage > most;
  return { best: bestOf(weighed.filter(mayBeRead)), mayBeRead };
}

/**
 * "What happens when": a word that only asks, and that no text contains, counts as a function word. "How long" asks for
 * a time, whatever "long" refers to.
 */
function withoutAspect(term: WeightedTerm, kind: AnswerKind | undefined): WeightedTerm {
  if (kind === 'duration' && /^(?:long|lange)$/.test(term.text)) return hardly(term);
  return !term.known && isAspect(term.text) && !asksMeasure(term) ? hardly(term) : term;
}

/** "How do I install the product?": a word for the subject of all the knowledge says nothing beside a specific word. */
function withoutSubject(terms: WeightedTerm[], message: string): WeightedTerm[] {
  const subjects = subjectsIn(message);
  const isTold = terms.some((term) => !term.isStopWord && !subjects.has(term.text));
  return isTold ? terms.map((term) => (subjects.has(term.text) ? hardly(term) : term)) : terms;
}

function hardly(term: WeightedTerm): WeightedTerm {
  return { ...term, weight: term.weight * hardlyAny };
}

/** The passages with the best sentences, in their order. */
function bestOf(weighed: WeighedPassage[], wanted: number): WeighedPassage[] {
  const scores = weighed.map(({ units }) => Math.max(...units.map(({ score }) => score)));
  const least = [...scores].sort((a, b) => b - a)[wanted - 1] ?? -Infinity;
  return weighed.filter((_, index) => (scores[index] ?? least) >= least).slice(0, wanted);
}
