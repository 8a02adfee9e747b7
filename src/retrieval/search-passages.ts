import type { App } from '../platform/app.js';
import { kindOf } from '../platform/text/answer-kinds.js';
import { tellLanguage } from '../platform/text/languages.js';
import { findCandidates } from './find-candidates.js';
import { readPassages, type Passage, type SearchScope } from './passages.repository.js';
import { rankWithVectors, type Ranks } from './rank-with-vectors.js';
import { scorePassages } from './score-passage.js';
import { recallCandidates, type Candidate } from './recall-candidates.js';
import { understandQuestion, type UnderstoodQuestion } from './understand-question.js';
import { searchVectors } from './vectors/search-vectors.js';
import type { WeightedTerm } from './weigh-terms.js';

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
  /** The question's weight in its best sentence, 0 to 1. */
  sentence: number;
  /** The question's weight whose words follow one another as in the question. */
  phrase: number;
  /** The question's weight in its densest run of words, 0 to 1. */
  window: number;
  /** How many of the best passages have its title, 0 to 1. */
  siblings: number;
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
  const [{ terms, words, memory, worded }, near] = await Promise.all([
    searchWords(app, input),
    searchVectors(app, { text: input.text, scope, limit: mostNear }),
  ]);
  const ids = [...new Set([...worded, ...near.map(({ id }) => id)])];
  if (ids.length === 0) return { terms, passages: [] };
  const candidates = await recallCandidates(app, scope, ids, memory);
  const scores = scorePassages(
    terms,
    words.totals,
    candidates.map(({ features }) => features),
    kindOf(input.text),
  );
  const byWords = scores
    .flatMap(({ score, coverage, ...shares }, index) => {
      const candidate = candidates[index];
      if (candidate === undefined) return [];
      const parts = {
        ...shares,
        language: candidate.language === language ? languageBonus : 0,
        place: bonusOf(candidate, place),
      };
      return [{ id: candidate.id, coverage, parts, score: score + parts.language + parts.place }];
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

/** What full text finds of a question, in no order, and what it is scored by. */
async function searchWords(
  app: Pick<App, 'db'>,
  { text, scope, exhaustive = false }: SearchInput,
): Promise<UnderstoodQuestion & { worded: number[] }> {
  const understood = await understandQuestion(app, scope, text);
  return { ...understood, worded: await findCandidates(app, scope, understood, exhaustive) };
}

function bonusOf(passage: Candidate, place: Place | undefined): number {
  if (place === undefined) return 0;
  if (passage.viewId !== null) return passage.viewId === place.viewId ? placeBonus.view : 0;
  const here = passage.domain !== null && place.domains.includes(passage.domain);
  if (!here) return 0;
  if (passage.urlPattern === null) return placeBonus.domain;
  return place.matches(passage.urlPattern) ? placeBonus.pattern : 0;
}
