import type { Knex } from 'knex';
import type { WithDb } from '../platform/app.js';
import type { Page, Paged } from '../platform/db/select-page.js';

/*
 * Which stored answers cite which entries, by organization: that of the conversation, since an organization is told only
 * of its own answers. The rows of an answer go with it. They stay when the entry is deleted, and lead nowhere then.
 */

interface Citation {
  organization_id: number;
  entry_uuid: string;
  message_id: number;
}

/** Notes the entries that an answer cites, inside the transaction that stores it. */
export async function insertCitations(
  app: WithDb,
  organizationId: number,
  messageId: number,
  uuids: readonly string[],
): Promise<void> {
  const rows = [...new Set(uuids)].map((entry_uuid) => ({
    organization_id: organizationId,
    entry_uuid,
    message_id: messageId,
  }));
  if (rows.length > 0) await app.db.write<Citation>('message_citations').insert(rows);
}

export interface CitationPage extends Page {
  /** Only answers before this one. It does not change the total. */
  before?: number | undefined;
}

/**
 * The ids of an organization's answers that cite an entry, the newest first. `readable`: a query of the ids of the
 * messages that the reader may read; undefined for all.
 */
export async function pageOfCitations(
  app: WithDb,
  cited: { organizationId: number; uuid: string; readable: Knex.QueryBuilder | undefined },
  { page, limit, before }: CitationPage,
): Promise<Paged<number>> {
  const query = app.db
    .read<Citation>('message_citations')
    .where({ organization_id: cited.organizationId, entry_uuid: cited.uuid });
  if (cited.readable !== undefined) void query.whereIn('message_id', cited.readable);
  const [counted] = await query.clone().count<{ count: number }[]>({ count: '*' });
  if (before !== undefined) void query.where('message_id', '<', before);
  const some = query.orderBy('message_id', 'desc').limit(limit);
  const items: number[] = await some.offset((page - 1) * limit).pluck('message_id');
  return { items, total: counted?.count ?? 0 };
}

/** The one rule by which an entry is used: an answer of its organization cites it. A query for `exists`. */
export function usesOfEntry(app: WithDb, organizationId: number): Knex.QueryBuilder {
  return app.db
    .read('message_citations')
    .where('message_citations.organization_id', organizationId)
    .whereRaw('message_citations.entry_uuid = knowledge_entries.uuid')
    .limit(1);
}
