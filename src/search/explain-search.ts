import { queryTerms } from '../language/analyze.js';
import { readEligibility } from './passages/eligibility.repository.js';
import { fitOf, type Place, type PlaceFit } from './passages/place.js';
import {
  missingRights,
  rightsMissing,
  type Guarded,
  type MissingRight,
  type SearchScope,
} from './passages/scope.js';
import { searchPassages, type FoundPassage, type Searching } from './search-passages.js';
import type { WeightedTerm } from './ranking/weigh-terms.js';

export interface RankedPassage extends FoundPassage {
  /** From 1. */
  rank: number;
  fit: PlaceFit;
}

export const whyNotFoundCodes = [
  ...missingRights,
  'no_passages',
  'no_common_words',
  'not_a_candidate',
] as const;
/**
 * Why a search does not find an entry. The first five are rights, each a condition of the search. The others mean that
 * the text does not contain the question's words, or that other texts match better.
 */
export type WhyNotFoundCode = (typeof whyNotFoundCodes)[number];

export interface EntryExplanation {
  /** True when the asker may see it in an answer at all. */
  eligible: boolean;
  /** The rank of its best passage; null when none was found. */
  rank: number | null;
  fit: PlaceFit;
  reasons: { code: WhyNotFoundCode; message: string }[];
}

export interface ExplainedSearch {
  terms: WeightedTerm[];
  /** Best first, as far as searches rank. */
  passages: RankedPassage[];
  explainEntry: (entryId: number) => Promise<EntryExplanation>;
}

/** The passages that are ranked: more than any answer reads. */
const ranked = 200;

/** Searches as answers do and explains each rank. Also explains why a given entry was found or not. */
export async function explainSearch(
  app: Searching,
  input: { text: string; scope: SearchScope; place: Place | undefined },
): Promise<ExplainedSearch> {
  const { scope, place } = input;
  const found = await searchPassages(app, { ...input, limit: ranked });
  const passages = found.passages.map((passage, index) => ({
    ...passage,
    rank: index + 1,
    fit: fitOf(passage, place),
  }));
  return {
    terms: found.terms,
    passages,
    async explainEntry(entryId) {
      const state = await readEligibility(app, scope.organizationId, entryId);
      const best = passages.find((passage) => passage.entryId === entryId);
      const fit = state === undefined ? 'no_page' : fitOf(state.eligibility, place);
      if (state === undefined) {
        const reasons = [reason('no_passages', 'The entry has no text in the index.')];
        return { eligible: false, rank: null, fit, reasons };
      }
      const rights = rightsMissing(state.eligibility, scope).map((code) =>
        reason(code, sentenceOf(code, state.eligibility, scope)),
      );
      const text =
        best === undefined ? whyNotFound(input.text, state.passages, rights.length === 0) : [];
      return {
        eligible: rights.length === 0,
        rank: best?.rank ?? null,
        fit,
        reasons: [...rights, ...text],
      };
    },
  };
}

function sentenceOf(
  code: MissingRight,
  { domain, visibility }: Guarded & { domain: string | null },
  scope: SearchScope,
): string {
  switch (code) {
    case 'other_organization':
      return 'It belongs to another organization.';
    case 'draft':
      return 'It is a draft: publish it.';
    case 'unclaimed_domain':
      return `No app claims its domain ${domain ?? ''}: it stays hidden until one does.`;
    case 'other_app':
      return 'It belongs to another app than the page.';
    case 'tier':
      return `It is ${visibility}, and this search sees: ${scope.tiers.join(', ')}.`;
  }
}

/** True when it contains words of the question, in any form that a search matches. */
function whyNotFound(
  text: string,
  passages: { title: string; body: string }[],
  eligible: boolean,
): EntryExplanation['reasons'] {
  const terms = queryTerms(text);
  const words = passages.flatMap(({ title, body }) => queryTerms(`${title}\n${body}`));
  const held = new Set(words.flatMap((word) => word.variants));
  const common = terms.filter(({ variants }) => variants.some((variant) => held.has(variant)));
  if (common.length === 0) {
    return [reason('no_common_words', 'It contains no word of the question.')];
  }
  // Passages without the rights were never compared with the others.
  if (!eligible) return [];
  const shared = common.map((term) => term.text).join(', ');
  const message = `It contains only ${shared}; other passages contain more of the question, or its rarer words.`;
  return [reason('not_a_candidate', message)];
}

function reason(
  code: WhyNotFoundCode,
  message: string,
): { code: WhyNotFoundCode; message: string } {
  return { code, message };
}
