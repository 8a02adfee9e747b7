import type { App } from '../platform/app.js';
import { queryTerms, type QueryTerm } from '../platform/text/analyze.js';
import { wordsOf } from './passage-words.js';
import {
  countPassages,
  matchPassages,
  type Passage,
  type SearchScope,
} from './passages.repository.js';

/** Where the question was asked: passages that belong there come before equals that do not. */
export interface Place {
  viewId: number | undefined;
  domains: string[];
  matches(pattern: string): boolean;
}

/** A word of the question with its weight: how much of what was asked it carries. */
export interface WeightedTerm extends QueryTerm {
  /** Inverse document frequency over the index, near 0 for function words; in nats. */
  weight: number;
  /** Whether any passage of the whole index holds it. */
  known: boolean;
}

export interface FoundPassage extends Passage {
  /** For the order alone: comparable within one search. */
  score: number;
  /** Share of the question's weight whose words stand in the passage or its title, 0 to 1. */
  coverage: number;
}

export interface SearchResult {
  terms: WeightedTerm[];
  /** Best first. */
  passages: FoundPassage[];
}

/** Full-text candidates that are scored exactly. */
const candidates = 30;
/** What a function word counts, as a share of what it would by its rarity. */
const stopWordShare = 0.05;
/** Passages that a small index is taken to have beside its own: rarity among ten texts says little. */
const backgroundPassages = 100;
/** What a word counts that stands in the passage as a part of another word only. */
const compoundShare = 0.6;
/** Letters that a part must have to tell anything. */
const shortestPart = 5;
/** What belonging to the page adds, as a share of the best score. */
const placeBonus = { view: 0.15, pattern: 0.1, domain: 0.05 };

/**
 * The passages within the caller's rights that answer a text best: BM25 over stems, refined by how much of
 * the question a passage covers, and by where the question was asked.
 */
export async function searchPassages(
  app: Pick<App, 'db'>,
  input: { text: string; scope: SearchScope; place?: Place | undefined; limit: number },
): Promise<SearchResult> {
  const terms = await weigh(app, queryTerms(input.text));
  const variants = [...new Set(terms.flatMap((term) => term.variants))];
  if (variants.length === 0) return { terms, passages: [] };
  const matched = await matchPassages(app, input.scope, variants, candidates);
  const best = Math.max(...matched.map((passage) => passage.score), Number.MIN_VALUE);
  const passages = matched
    .map((passage) => {
      const coverage = coverageOf(terms, wordsOf(app, passage));
      const score = passage.score / best + 0.3 * coverage + bonusOf(passage, input.place);
      return { ...passage, coverage, score };
    })
    .sort((a, b) => b.score - a.score || a.id - b.id);
  return { terms, passages: passages.slice(0, input.limit) };
}

/** Each word with its rarity: ln(1 + (N - n + 0.5) / (n + 0.5)), as BM25 has it (Robertson and Zaragoza 2009). */
async function weigh(app: Pick<App, 'db'>, terms: QueryTerm[]): Promise<WeightedTerm[]> {
  const total = backgroundPassages + (await countPassages(app));
  const counts = await app.db.dialect.countPassagesWith(
    app.db.read,
    terms.flatMap((term) => term.variants),
  );
  return terms.map((term) => {
    const holding = Math.max(0, ...term.variants.map((variant) => counts.get(variant) ?? 0));
    const idf = Math.log(1 + (Math.max(0, total - holding) + 0.5) / (holding + 0.5));
    const weight = term.isStopWord ? idf * stopWordShare : idf;
    return { ...term, weight, known: holding > 0 };
  });
}

function coverageOf(terms: WeightedTerm[], words: ReadonlySet<string>): number {
  let covered = 0;
  let total = 0;
  for (const term of terms) {
    total += term.weight;
    if (term.variants.some((variant) => words.has(variant))) covered += term.weight;
    else if (!term.isStopWord && isPartOf(term, words)) covered += term.weight * compoundShare;
  }
  return total === 0 ? 0 : covered / total;
}

/** Whether the word is part of a compound of the passage, or the reverse: "Lager" and "Lagertemperatur". */
function isPartOf(term: WeightedTerm, words: ReadonlySet<string>): boolean {
  const parts = term.variants.filter((variant) => variant.length >= shortestPart);
  if (parts.length === 0) return false;
  for (const word of words) {
    if (word.length < shortestPart) continue;
    if (parts.some((part) => word.includes(part) || part.includes(word))) return true;
  }
  return false;
}

function bonusOf(passage: Passage, place: Place | undefined): number {
  if (place === undefined) return 0;
  if (passage.viewId !== null) return passage.viewId === place.viewId ? placeBonus.view : 0;
  const here = passage.domain !== null && place.domains.includes(passage.domain);
  if (!here) return 0;
  if (passage.urlPattern === null) return placeBonus.domain;
  return place.matches(passage.urlPattern) ? placeBonus.pattern : 0;
}
