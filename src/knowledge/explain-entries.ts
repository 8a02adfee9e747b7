import { requirePermission, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import {
  explainSearch,
  type EntryExplanation,
  type RankedPassage,
} from '../retrieval/explain-search.js';
import type { SearchScope } from '../retrieval/passages.repository.js';
import type { WeightedTerm } from '../retrieval/weigh-terms.js';
import { findEntriesById, findEntryNamed } from './entries.repository.js';
import type { Entry } from './entry.js';
import { pageScope } from './page-scope.js';

export interface ExplainInput {
  text: string;
  /** The page from which it is asked. */
  url?: string | undefined;
  /** The highest tier that whoever asks sees. */
  tier?: Visibility | undefined;
  /** The entry to explain, by uuid or number. */
  entry?: string | undefined;
  page: number;
  limit: number;
}

export interface ExplainedEntries {
  scope: SearchScope;
  terms: WeightedTerm[];
  found: { entry: Entry; passage: RankedPassage }[];
  /** Passages found on all pages. */
  total: number;
  /** Of the entry that was named. */
  explained: { entry: Entry; explanation: EntryExplanation } | undefined;
}

/**
 * What a question finds for somebody at a page, and why; for those who look after the knowledge. Refuses with
 * `not_found` an entry that the organization does not have, and a page of another organization: nothing of this
 * one's knowledge is used there.
 */
export async function explainEntries(
  app: App,
  actor: Actor,
  input: ExplainInput,
): Promise<ExplainedEntries> {
  const member = requirePermission(actor, 'knowledge.write');
  const { organizationId } = member;
  const { text, url, tier, entry: name, page, limit } = input;
  const { scope, place } = await pageScope(app, member, { url, tier });
  if (scope.organizationId !== organizationId) {
    const sentence = 'url: no app of this organization has this page, so none of its knowledge.';
    throw new AppError('not_found', sentence);
  }
  const entry = name === undefined ? undefined : await getOwn(app, organizationId, name);
  const { terms, passages, explainEntry } = await explainSearch(app, { text, scope, place });
  const shown = passages.slice((page - 1) * limit, page * limit);
  const entries = await findEntriesById(app, [...new Set(shown.map(({ entryId }) => entryId))]);
  const byId = new Map(entries.map((one) => [one.id, one]));
  return {
    scope,
    terms,
    found: shown.flatMap((passage) => {
      const own = byId.get(passage.entryId);
      return own === undefined ? [] : [{ entry: own, passage }];
    }),
    total: passages.length,
    explained:
      entry === undefined ? undefined : { entry, explanation: await explainEntry(entry.id) },
  };
}

async function getOwn(app: App, organizationId: number, name: string): Promise<Entry> {
  const found = await findEntryNamed(app, organizationId, name);
  if (found !== undefined) return found;
  throw new AppError(
    'not_found',
    `There is no entry ${JSON.stringify(name)} in this organization.`,
  );
}
