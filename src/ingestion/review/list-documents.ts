import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { Page, Paged } from '../../platform/db/select-page.js';
import { findEntriesWhere } from '../../knowledge/entry-lists.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import { chooseApp } from '../../tenancy/choose-app.js';
import type { Batch } from '../batches/batch.js';
import { listDocumentsOfSource } from '../batches/documents.repository.js';
import { getBareBatch } from './review-batch.js';

/** A document of a stated source, named by its last reading. */
export interface SourceDocument {
  batchId: string;
  source: string | null;
  fileName: string;
}

/** The same, with what removing it would do to its entries. */
export interface WeighedDocument extends SourceDocument {
  /** Entries that would be unpublished. */
  published: number;
  /** Drafts that would be deleted. */
  drafts: number;
}

export interface DocumentQuery extends Page {
  source: string;
  appId?: number | undefined;
  domain?: string | undefined;
}

/** A page of the documents of a source, by name. Errors: those of chooseApp. */
export async function listDocuments(
  app: App,
  actor: Actor,
  { source, appId, domain, ...page }: DocumentQuery,
): Promise<Paged<SourceDocument>> {
  const member = requirePermission(actor, 'knowledge.write');
  const chosen = await chooseApp(app, member, { appId, domain });
  const { organizationId } = member;
  const place = { organizationId, appId: chosen.app.id, domain: chosen.domain, source };
  const { items, total } = await listDocumentsOfSource(app, place, page);
  return { items: items.map(toDocument), total };
}

/** A document with its weight, by the batch of its last reading. Errors: `not_found`. */
export async function getDocument(app: App, actor: Actor, id: string): Promise<WeighedDocument> {
  return weighDocument(app, await getBareBatch(app, actor, id));
}

export async function weighDocument(app: App, batch: Batch): Promise<WeighedDocument> {
  const { organizationId, document } = batch;
  const entries = await findEntriesWhere(app, { organizationId, document });
  return {
    ...toDocument(batch),
    published: entries.filter(({ status }) => status === 'published').length,
    drafts: entries.filter((entry) => !isKept(entry)).length,
  };
}

function toDocument({ id: batchId, source, fileName }: Batch): SourceDocument {
  return { batchId, source, fileName };
}

/** True for somebody's work: an entry that was approved once, or that a person edited. */
export function isKept(entry: Pick<Entry, 'wasPublished' | 'edited'>): boolean {
  return entry.wasPublished || entry.edited;
}
