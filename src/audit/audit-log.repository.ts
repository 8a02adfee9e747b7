import type { WithDb } from '../platform/app.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { changes, type ChangeFilter, type RecordedChange } from './recorded-change.js';

/** A change as its row: the fields before and after it are JSON. */
export interface NewChange {
  organization_id: number;
  actor: string;
  action: string;
  subject: string;
  before: string | null;
  after: string | null;
  created_at: string;
}

/** Rows per insert: well below the parameters that a statement may bind. */
const rowsPerInsert = 100;

export async function insertChanges(app: WithDb, changes: readonly NewChange[]): Promise<void> {
  for (let start = 0; start < changes.length; start += rowsPerInsert) {
    await app.db.write('audit_log').insert(changes.slice(start, start + rowsPerInsert));
  }
}

type SpannedFilter = ChangeFilter & { first: string | undefined; last: string | undefined };

const newestFirst = [
  { column: 'created_at', order: 'desc' as const },
  { column: 'id', order: 'desc' as const },
];

/** A page of an organization's changes, newest first. */
export async function pageOfChanges(
  app: WithDb,
  organizationId: number,
  filter: SpannedFilter,
  page: Page,
): Promise<Paged<RecordedChange>> {
  return changes.page(changesOf(app, organizationId, filter), newestFirst, page);
}

/** The next changes after one of them, or else the first ones, newest first. */
export async function changesAfter(
  app: WithDb,
  organizationId: number,
  filter: SpannedFilter,
  { after, limit }: { after: Pick<RecordedChange, 'id' | 'createdAt'> | undefined; limit: number },
): Promise<RecordedChange[]> {
  const query = changesOf(app, organizationId, filter);
  if (after !== undefined) {
    const { id, createdAt } = after;
    void query.whereRaw('(created_at < ? or (created_at = ? and id < ?))', [
      createdAt,
      createdAt,
      id,
    ]);
  }
  return changes.all(query.orderBy(newestFirst).limit(limit));
}

function changesOf(app: WithDb, organizationId: number, filter: SpannedFilter) {
  const { actor, action, subject, first, last } = filter;
  const query = app.db.read('audit_log').where({ organization_id: organizationId });
  if (actor !== undefined) void query.where({ actor });
  if (subject !== undefined) void query.where({ subject });
  if (action?.includes('.') === true) void query.where({ action });
  // A noun alone matches every action with it and a dot. LIKE patterns have special characters, so compare.
  else if (action !== undefined) {
    void query.where('action', '>=', `${action}.`).where('action', '<', `${action}/`);
  }
  if (first !== undefined) void query.where('created_at', '>=', first);
  if (last !== undefined) void query.where('created_at', '<=', last);
  return query;
}

/** Removes the fields from recorded changes of subjects. The change itself, its author and its time stay. */
export async function forgetChanges(
  app: WithDb,
  organizationId: number,
  subjects: string[],
): Promise<void> {
  await app.db
    .write('audit_log')
    .where({ organization_id: organizationId })
    .whereIn('subject', subjects)
    .update({ before: null, after: null });
}
