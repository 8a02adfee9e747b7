import type { App } from '../platform/app.js';
import { queryTerms, type QueryTerm } from '../platform/text/analyze.js';
import { tellLanguage } from '../platform/text/languages.js';
import { decodeFeatures } from '../platform/text/term-features.js';
import { findCandidates } from './find-candidates.js';
import { findRelated, type RelatedWords } from './find-related.js';
import {
  findHeld,
  readCandidates,
  readPassages,
  type Candidate,
  type Passage,
  type SearchScope,
} from './passages.repository.js';
import { rankWithVectors, type Ranks } from './rank-with-vectors.js';
import { createScorer } from './score-passage.js';
import { readStatistics, type TermStatistics } from './term-statistics.js';
import { searchVectors } from './vectors/search-vectors.js';
import { weighTerms, type ScoredTerm, type WeightedTerm } from './weigh-terms.js';

export type { WeightedTerm } from './weigh-terms.js';

/** Where the question was asked: passages that belong there come before equals that do not. */
export interface Place {
  viewId: number | undefined;
  domains: string[];
  matches(pattern: string): boolean;
}

export interface FoundPassage extends Passage {
  /** For the order alone: comparable within one search. */
  score: number;
  /** Share of the question's weight whose words stand in the passage or its title, 0 to 1. */
  coverage: number;
  parts: ScoreParts;
}

/** What a score is made of. With vectors the order comes from the two ranks. */
export interface ScoreParts extends Ranks {
  /** Stems, as a share of the best passage's. */
  words: number;
  /** Character 4-grams, as a share of the best passage's. */
  grams: number;
  /** What was added for being written in the question's language. */
  language: number;
  /** What was added for belonging to the page. */
  place: number;
}

export interface SearchInput {
  text: string;
  scope: SearchScope;
  place?: Place | undefined;
  limit: number;
  exhaustive?: boolean;
}

export interface SearchResult {
  terms: WeightedTerm[];
  /** Best first. */
  passages: FoundPassage[];
}

/** What being written in the question's language adds: the reader's own, where both say the same. */
const languageBonus = 0.15;
/** What belonging to the page adds, where the best passage has 1 for its stems and 1 for its grams. */
const placeBonus = { view: 0.3, pattern: 0.2, domain: 0.1 };

/** Passages that vectors bring in. */
const mostNear = 50;

/**
 * The passages within the caller's rights that answer a text best: candidates by their rare words, then stems and
 * character 4-grams scored exactly, each as a share of the best, and where the question was asked. Where an embedding
 * model is set, those nearest by meaning are joined with them by reciprocal rank; while it fails, words alone serve.
 * `exhaustive` scores every passage with any of the words: for measuring what the candidates miss.
 */
export async function searchPassages(
  app: Pick<App, 'db' | 'models' | 'config' | 'log'>,
  input: SearchInput,
): Promise<SearchResult> {
  const { scope, place, limit } = input;
  const told = tellLanguage(input.text);
  // Where the words do not tell their language, none is preferred.
  const language = told.sure ? told.language : undefined;
  // Both at once: the question's vector takes the longer of the two.
  const [{ terms, words, worded }, near] = await Promise.all([
    searchWords(app, input),
    searchVectors(app, { text: input.text, scope, limit: mostNear }),
  ]);
  const ids = [...new Set([...worded, ...near.map(({ id }) => id)])];
  if (ids.length === 0) return { terms, passages: [] };
  const scorer = createScorer(terms, words.totals);
  const scored = (await readCandidates(app, scope, ids)).map((candidate) => ({
    candidate,
    ...scorer.score(decodeFeatures(candidate.features)),
  }));
  // A passage that is the best by next to nothing is no match for it: half of the question is full marks.
  const best = {
    words: Math.max(Number.MIN_VALUE, scorer.full.words / 2, ...scored.map(({ words }) => words)),
    grams: Math.max(Number.MIN_VALUE, scorer.full.grams / 2, ...scored.map(({ grams }) => grams)),
  };
  const byWords = scored
    .map(({ candidate, words, grams, coverage }) => {
      const parts = {
        words: words / best.words,
        grams: grams / best.grams,
        language: candidate.language === language ? languageBonus : 0,
        place: bonusOf(candidate, place),
      };
      const score = parts.words + parts.grams + parts.language + parts.place;
      return { id: candidate.id, coverage, parts, score };
    })
    .sort((a, b) => b.score - a.score || a.id - b.id);
  const ranked = rankWithVectors(byWords, new Set(worded), near).slice(0, limit);
  const texts = await readPassages(
    app,
    scope,
    ranked.map(({ id }) => id),
  );
  const byId = new Map(texts.map((passage) => [passage.id, passage]));
  const passages = ranked.flatMap(({ id, coverage, parts, score, ranks }) => {
    const passage = byId.get(id);
    if (passage === undefined) return [];
    return [{ ...passage, score, coverage, parts: { ...parts, ...ranks } }];
  });
  return { terms, passages };
}

/** Words of a question that are looked for, and those of an endless text that are looked up to choose them. */
const mostWords = { asked: 80, lookedUp: 2000 };

/** Of an endless text the first words that the index holds; those that hold sentences together come last. */
function shortened(terms: QueryTerm[], { holding }: TermStatistics): QueryTerm[] {
  if (terms.length <= mostWords.asked) return terms;
  const rankOf = (term: QueryTerm) =>
    term.isStopWord ? 2 : term.variants.some((variant) => holding(variant) > 0) ? 0 : 1;
  return terms.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, mostWords.asked);
}

/** What full text finds of a question, in no order, and what it is scored by. */
async function searchWords(
  app: Pick<App, 'db'>,
  { text, scope, exhaustive = false }: SearchInput,
): Promise<Awaited<ReturnType<typeof understand>> & { worded: number[] }> {
  const { terms, words } = await understand(
    app,
    scope,
    queryTerms(text).slice(0, mostWords.lookedUp),
  );
  return { terms, words, worded: await findCandidates(app, scope, terms, words, exhaustive) };
}

/**
 * The words of a question, weighed by the index, with those of the index that they may have to do with. A word that
 * stands in hidden passages alone is unknown to whoever may not see them: what they are told must not depend on it.
 */
async function understand(
  app: Pick<App, 'db'>,
  scope: SearchScope,
  all: QueryTerm[],
): Promise<{ terms: ScoredTerm[]; words: TermStatistics & RelatedWords }> {
  const variants = all.flatMap((term) => term.variants);
  const own = await readStatistics(app, variants);
  const asked = shortened(all, own);
  const hidden = await hiddenWords(app, scope, asked, own);
  const isKnown = (term: QueryTerm) =>
    !hidden.has(term) && term.variants.some((variant) => own.holding(variant) > 0);
  const related = await findRelated(app, scope, asked, isKnown);
  const further = [...related.compounds, ...[...related.meant.values()].flat()];
  const { holding } = further.length === 0 ? own : await readStatistics(app, further);
  const statistics = { totals: own.totals, holding };
  return {
    terms: weighTerms(asked, statistics, related.meant, hidden),
    words: { ...statistics, ...related },
  };
}

/** Passages from which on a word is no secret of anybody's, and looking it up takes time. */
const commonWord = 5000;

/** The words that passages hold, but none within the scope. */
async function hiddenWords(
  app: Pick<App, 'db'>,
  scope: SearchScope,
  asked: QueryTerm[],
  { holding }: TermStatistics,
): Promise<Set<QueryTerm>> {
  const telling = asked.filter((term) => {
    const most = Math.max(...term.variants.map(holding));
    return !term.isStopWord && most > 0 && most < commonWord;
  });
  const held = await findHeld(
    app,
    scope,
    telling.map((term) => term.variants.filter((variant) => holding(variant) > 0)),
  );
  return new Set(telling.filter((_, index) => !held.has(index)));
}

function bonusOf(passage: Candidate, place: Place | undefined): number {
  if (place === undefined) return 0;
  if (passage.viewId !== null) return passage.viewId === place.viewId ? placeBonus.view : 0;
  const here = passage.domain !== null && place.domains.includes(passage.domain);
  if (!here) return 0;
  if (passage.urlPattern === null) return placeBonus.domain;
  return place.matches(passage.urlPattern) ? placeBonus.pattern : 0;
}
