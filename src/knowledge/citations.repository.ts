import type { Knex } from 'knex';
import type { App } from '../platform/app.js';

/*
 * Which stored answers cite which entries, by organization: that of the conversation, since an organization is told only
 * of its own answers. The rows of an answer go with it. They stay when the entry is deleted, and lead nowhere then.
 */

type Store = Pick<App, 'db'>;

interface Citation {
  organization_id: number;
  entry_uuid: string;
  message_id: number;
}

/** Notes the entries that an answer cites, inside the transaction that stores it. */
export async function insertCitations(
  app: Store,
  organizationId: number,
  messageId: number,
  uuids: readonly string[],
): Promise<void> {
  const rows = [...new Set(uuids)].map((entry_uuid) => ({
    ...{ organization_id: organizationId, entry_uuid, message_id: messageId },
  }));
  if (rows.length > 0) await app.db.write<Citation>('message_citations').insert(rows);
}

/** A query of the citations of an entry in an organization's answers. */
export function citationsOf(app: Store, organizationId: number, uuid: string): Knex.QueryBuilder {
  return app.db
    .read('message_citations')
    .where({ organization_id: organizationId, entry_uuid: uuid });
}

/** The one rule by which an entry is used: an answer of its organization cites it. A query for `exists`. */
export function usesOfEntry(app: Store, organizationId: number): Knex.QueryBuilder {
  return app.db
    .read('message_citations')
    .where('message_citations.organization_id', organizationId)
    .whereRaw('message_citations.entry_uuid = knowledge_entries.uuid');
}
