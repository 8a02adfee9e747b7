import { findEntriesById, findEntryNamed } from '../knowledge/entries.repository.js';
import type { Entry } from '../knowledge/entry.js';
import { pageScope } from '../knowledge/page-scope.js';
import type { Spoken } from '../language/language-pack.js';
import { requirePermission, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import {
  explainSearch,
  type EntryExplanation,
  type RankedPassage,
  type WhyNotFoundCode,
  whyNotFoundCodes,
} from '../search/explain-search.js';
import type { SearchScope } from '../search/passages/scope.js';
import type { WeightedTerm } from '../search/ranking/weigh-terms.js';
import type { JudgedPassage } from './find-likely.js';
import { findRelevant, type RelevantKnowledge } from './find-relevant.js';
import { askedIn } from './find-topic.js';

const whyNotUsedCodes = ['outranked', 'no_evidence', 'below_relevance'] as const;
export const whyNotCodes = [...whyNotFoundCodes, ...whyNotUsedCodes] as const;
/** Why no answer uses an entry: not found, ranked behind others, or with too few signs of the answer. */
export type WhyNotCode = WhyNotFoundCode | (typeof whyNotUsedCodes)[number];

export interface ExplainInput {
  text: string;
  /** The page on which the question is asked. */
  url?: string | undefined;
  /** The highest visibility tier of the asker. */
  tier?: Visibility | undefined;
  /** The asker's language, for a question whose own words show none. */
  language?: Spoken | undefined;
  /** The entry to explain, by uuid or number. */
  entry?: string | undefined;
  page: number;
  limit: number;
}

export interface ExplainedPassage extends RankedPassage {
  /** The probability that it contains the answer, 0 to 1; null when answers do not read it because of its rank. */
  likelihood: number | null;
  /** The probability that it would need, 0 to 1; null as with `likelihood`. */
  needed: number | null;
  relevant: boolean;
}

export interface ExplainedEntries {
  scope: SearchScope;
  terms: WeightedTerm[];
  found: { entry: Entry; passage: ExplainedPassage }[];
  /** The number of found passages on all pages. */
  total: number;
  /** True when an answer quotes a passage; otherwise it says that there is none. */
  answered: boolean;
  /** The explanation of the named entry. */
  explained: { entry: Entry; explanation: ExplainedEntry } | undefined;
}

export interface ExplainedEntry extends Omit<EntryExplanation, 'reasons'> {
  reasons: { code: WhyNotCode; message: string }[];
  /** How likely its likeliest passage contains the answer; undefined when answers read none of it. */
  judgement: Pick<JudgedPassage, 'likelihood' | 'needed'> | undefined;
}

/**
 * Explains what a question finds for an asker at a page, which answer follows, and why; for people who maintain the
 * knowledge. Uses the same functions as answers. Errors: `not_found` for an unknown entry, and a page of another
 * organization, where this organization's knowledge is never used.
 */
export async function explainEntries(
  app: App,
  actor: Actor,
  input: ExplainInput,
): Promise<ExplainedEntries> {
  const member = requirePermission(actor, 'knowledge.write');
  const { organizationId } = member;
  const { url, tier, language, entry: name, limit } = input;
  const { scope, place } = await pageScope(app, member, { url, tier });
  if (scope.organizationId !== organizationId) {
    const sentence =
      'url: this page belongs to no app of this organization, so it has no knowledge.';
    throw new AppError('not_found', sentence);
  }
  const entry = name === undefined ? undefined : await getOwn(app, organizationId, name);
  const text = askedIn(input.text);
  const { terms, passages, explainEntry } = await explainSearch(app, { text, scope, place });
  const page =
    url === undefined && language === undefined ? undefined : { url, language, title: '' };
  const asked = { text: input.text, scope, place, page, history: [] };
  const relevant = await findRelevant(app, asked);
  const shown = passages.slice((input.page - 1) * limit, input.page * limit);
  const entries = await findEntriesById(app, [...new Set(shown.map(({ entryId }) => entryId))]);
  const byId = new Map(entries.map((one) => [one.id, one]));
  return {
    scope,
    terms,
    found: shown.flatMap((passage) => {
      const own = byId.get(passage.entryId);
      return own === undefined ? [] : [{ entry: own, passage: judged(passage, relevant) }];
    }),
    total: passages.length,
    answered: relevant.passages.length > 0,
    explained:
      entry === undefined
        ? undefined
        : { entry, explanation: withJudgement(await explainEntry(entry.id), entry, relevant) },
  };
}

function judged(passage: RankedPassage, { judged, passages }: RelevantKnowledge): ExplainedPassage {
  const judgement = judged.find((one) => one.passage.id === passage.id);
  return {
    ...passage,
    likelihood: judgement?.likelihood ?? null,
    needed: judgement?.needed ?? null,
    relevant: passages.some(({ id }) => id === passage.id),
  };
}

/** Why an answer does not use a found entry. */
function withJudgement(
  explanation: EntryExplanation,
  { id }: Entry,
  { judged, passages }: RelevantKnowledge,
): ExplainedEntry {
  const own = judged.filter(({ passage }) => passage.entryId === id);
  const judgement = own.sort((a, b) => b.likelihood - a.likelihood)[0];
  if (explanation.rank === null || passages.some(({ entryId }) => entryId === id)) {
    return { ...explanation, judgement };
  }
  return { ...explanation, judgement, reasons: [...explanation.reasons, whyNotUsed(judgement)] };
}

function whyNotUsed(judgement: JudgedPassage | undefined): ExplainedEntry['reasons'][number] {
  if (judgement === undefined) {
    const message =
      'Other passages rank higher: an answer reads only the best ones (answers.max_passages).';
    return { code: 'outranked', message };
  }
  const { likelihood, needed, evident } = judgement;
  if (!evident) {
    const message =
      'It contains no word that names the subject of the question, in any form or with one typing error, and its meaning is not close.';
    return { code: 'no_evidence', message };
  }
  const message = `It contains the answer with a likelihood of ${percent(likelihood)}; beside the other passages, it needs ${percent(needed)} (answers.min_relevance).`;
  return { code: 'below_relevance', message };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

async function getOwn(app: App, organizationId: number, name: string): Promise<Entry> {
  const found = await findEntryNamed(app, organizationId, name);
  if (found !== undefined) return found;
  throw new AppError(
    'not_found',
    `There is no entry ${JSON.stringify(name)} in this organization.`,
  );
}
