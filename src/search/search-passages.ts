import { kindOf } from '../language/answer-kinds.js';
import { tellLanguage } from '../language/detect-language.js';
import { packOf } from '../language/packs.js';
import { hashOf } from '../language/term-features.js';
import type { App, WithDb } from '../platform/app.js';
import { extended } from '../platform/extended.js';
import { listAtPage, type Passage } from './passages/passages.repository.js';
import { fitOf, type Place, type PlaceFit } from './passages/place.js';
import type { SearchScope } from './passages/scope.js';
import { fuseScores, type Ranks } from './ranking/fuse-scores.js';
import { bestPassages } from './ranking/rank-by-stems.js';
import type { StemGroup } from './ranking/score-segment.js';
import { scorePassages } from './ranking/score-passage.js';
import { understandQuestion, type UnderstoodQuestion } from './ranking/understand-question.js';
import { rarity, type ScoredTerm, shareOf, type WeightedTerm } from './ranking/weigh-terms.js';
import type { PassageIndex } from './term-index/index-cache.js';
import { recallCandidates, withIndex } from './term-index/open-index.js';
import { searchVectors, type Embedding } from './vectors/search-vectors.js';

/** The passages that are scored exactly. */
const mostCandidates = 100;
/** The most compounds that are looked up, the rarest first. */
const mostCompounds = 12;
/** The weight of a compound for choosing candidates, as a share of the word itself. */
const compoundShare = 0.5;

/**
 * Candidate passages by id: of all that the asker may see, the 100 with the best BM25 scores of their stems, and in
 * addition the 100 best of the page. Function words, compounds and misspelt words count in part.
 */
export async function findCandidates(
  app: WithDb,
  index: PassageIndex,
  { terms, compounds }: UnderstoodQuestion,
  { atPage, exhaustive }: { atPage: Uint32Array; exhaustive: boolean },
): Promise<number[]> {
  const related = compounds.slice(0, mostCompounds).map(({ term, holding }): StemGroup => {
    const weight = rarity(index.totals.passages, holding) * compoundShare;
    return { forms: [{ hash: hashOf(term), weight }] };
  });
  const words = terms.map((term): StemGroup => {
    const share = shareOf(term, 'words');
    return { forms: term.held.map(({ hash, weight }) => ({ hash, weight: weight * share })) };
  });
  const most = exhaustive ? index.totals.passages : mostCandidates;
  const groups = [...related, ...words].filter(({ forms }) => forms.length > 0);
  const best = await bestPassages(app, index, { groups, most, among: atPage });
  return best.map(({ id }) => id);
}

export type { WeightedTerm } from './ranking/weigh-terms.js';

export interface FoundPassage extends Passage {
  /** Only for the order: comparable within one search. */
  score: number;
  /** The share of the question's weight whose words occur in the passage or its title, 0 to 1. */
  coverage: number;
  parts: ScoreParts;
}

/** The parts of a score. Vectors add `standsOut` times `trust`. */
export interface ScoreParts extends Ranks {
  /** Stems, relative to the best passage. */
  words: number;
  /** Character 4-grams, relative to the best passage. */
  grams: number;
  /** The share of the question's weight in its best sentence, 0 to 1. */
  sentence: number;
  /** The share of the question's weight whose words are adjacent as in the question. */
  phrase: number;
  /** The share of the question's weight in its densest run of words, 0 to 1. */
  window: number;
  /** The share of the best passages with its title, 0 to 1. */
  siblings: number;
  /** The bonus for the question's language. */
  language: number;
  /** The bonus for the page of the question. */
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

/** The bonus for the question's language: it decides when two languages say the same. */
const languageBonus = 0.05;
/** The page bonus; a passage that answers has a score of about 1. */
const placeBonus: Partial<Record<PlaceFit, number>> = { view: 0.15, pattern: 0.1, domain: 0.05 };

/** The passages that vectors add. */
const mostNear = 50;

/**
 * The passages within the caller's rights that best answer a text: candidates by their rare words, then exact scores of
 * stems and character 4-grams relative to the best, and the place of the question. With an embedding model, scores are
 * combined with similarity by meaning; while it fails, words alone count. `exhaustive` scores every passage with any of
 * the words, to measure what the candidates miss.
 */
export async function searchPassages(app: Searching, input: SearchInput): Promise<SearchResult> {
  const found = await app.searchThread?.run(({ call }) => call('searchPassages', input));
  return found ?? search(app, input);
}

/** What a search needs. The thread that searches has no other thread. */
export type Searching = Embedding & Pick<App, 'db' | 'searchThread'>;

async function search(app: Searching, input: SearchInput): Promise<SearchResult> {
  const { scope, place, limit } = input;
  const told = tellLanguage(input.text);
  // If the words do not identify their language, none is preferred.
  const language = told.sure ? told.language : undefined;
  const {
    terms: asked,
    index,
    worded,
    vectors,
  } = await withIndex(app, scope, async (index) => {
    const near = { text: input.text, language, scope, visible: index.ids, limit: mostNear };
    // In parallel: the question's vector takes longer.
    const [words, vectors] = await Promise.all([
      searchWords(app, index, input),
      searchVectors(app, near),
    ]);
    return { ...words, index, vectors };
  });
  const ids = [...new Set([...worded, ...vectors.near.map(({ id }) => id)])];
  if (ids.length === 0) return { terms: asked, passages: [] };
  const candidates = await recallCandidates(app, scope, index, ids);
  // With texts in the question's language, missing function words mean nothing. In German, with fewer words per
  // question, leaving them out makes other subjects look similar.
  const isSpoken =
    packOf(language)?.joinsWords !== true && candidates.some((one) => one.language === language);
  const terms = isSpoken ? asked.filter((term) => term.known || !term.isStopWord) : asked;
  const scores = scorePassages(
    terms,
    index.totals,
    candidates.map(({ features }) => features),
    kindOf(input.text),
  );
  const byWords = scores
    .flatMap((parts, index) => {
      const candidate = candidates[index];
      if (candidate === undefined) return [];
      const { id, language: written } = candidate;
      const bonus = {
        language: written === language ? languageBonus : 0,
        place: placeBonus[fitOf(candidate, place)] ?? 0,
      };
      const score = parts.score + bonus.language + bonus.place;
      return [{ id, candidate, language: written, bonus, parts, coverage: parts.coverage, score }];
    })
    .sort((a, b) => b.score - a.score || a.id - b.id);
  const ranked = fuseScores(byWords, new Set(worded), vectors).slice(0, limit);
  const passages = ranked.map(({ candidate, parts, bonus, ranks, score }) => {
    const { features: _, ...passage } = candidate;
    const { score: __, coverage, ...shares } = parts;
    const all = extended(extended(shares, bonus), ranks);
    return extended(passage, { score, coverage, parts: all });
  });
  return { terms, passages };
}

/** The passages found by the words of a question, in no order. */
async function searchWords(
  app: WithDb,
  index: PassageIndex,
  { text, scope, place, exhaustive = false }: SearchInput,
): Promise<{ terms: ScoredTerm[]; worded: number[] }> {
  const [understood, atPage] = await Promise.all([
    understandQuestion(app, scope, index, text),
    place === undefined ? new Uint32Array(0) : listAtPage(app, scope.organizationId, place),
  ]);
  const worded = await findCandidates(app, index, understood, { atPage, exhaustive });
  return { terms: understood.terms, worded };
}
