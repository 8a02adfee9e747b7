import type { WithDb } from '../platform/app.js';
import { selectPage, type Page, type Paged } from '../platform/db/select-page.js';
import type { Entry } from './entry.js';

interface VersionRow {
  fields: string;
}

/** Stores the present version of entries before they change: its author, time and content. */
export async function insertVersions(app: WithDb, entries: Entry[]): Promise<void> {
  const rows = entries.map((entry) => ({
    entry_id: entry.id,
    version: entry.version,
    fields: JSON.stringify(entry),
    changed_by: entry.changedBy,
    changed_at: entry.updatedAt,
  }));
  for (let start = 0; start < rows.length; start += 100) {
    await app.db.write('knowledge_entry_versions').insert(rows.slice(start, start + 100));
  }
}

/** Those of the versions (`uuid:version`) whose title and text are unchanged. */
export async function findUnchanged(
  app: WithDb,
  versions: { uuid: string; version?: number | undefined }[],
): Promise<Set<string>> {
  const uuids = versions.map(({ uuid }) => uuid);
  const { dialect } = app.db;
  const rows: { uuid: string; version: number }[] = await app.db
    .read('knowledge_entry_versions as v')
    .join('knowledge_entries as e', 'e.id', 'v.entry_id')
    .where(dialect.isAmong(app.db.read, 'e.uuid', uuids))
    .whereRaw(`${dialect.jsonField('v.fields', 'title')} = e.title`)
    .whereRaw(`${dialect.jsonField('v.fields', 'content')} = e.content`)
    .select('e.uuid', 'v.version');
  return new Set(rows.map(({ uuid, version }) => `${uuid}:${version}`));
}

/** A page of an entry's earlier versions, newest first. */
export async function listVersionsOf(
  app: WithDb,
  entryId: number,
  page: Page,
): Promise<Paged<Entry>> {
  const query = app.db.read('knowledge_entry_versions').where({ entry_id: entryId });
  const order = [{ column: 'version', order: 'desc' as const }];
  return selectPage<VersionRow, Entry>(
    query,
    order,
    page,
    (row) => JSON.parse(row.fields) as Entry,
  );
}
