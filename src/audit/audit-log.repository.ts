import type { App } from '../platform/app.js';
import { selectPage, type Page, type Paged } from '../platform/db/select-page.js';
import type { ChangeFilter, RecordedChange } from './recorded-change.js';

interface ChangeRow {
  id: number;
  actor: string;
  action: string;
  subject: string;
  before: string | null;
  after: string | null;
  created_at: string;
}

export type NewChange = Omit<ChangeRow, 'id'> & { organization_id: number };

export async function insertChange(app: Pick<App, 'db'>, change: NewChange): Promise<void> {
  await app.db.write('audit_log').insert(change);
}

/** A page of an organization's changes, newest first. */
export async function pageOfChanges(
  app: Pick<App, 'db'>,
  organizationId: number,
  filter: ChangeFilter & { first: string | undefined; last: string | undefined },
  page: Page,
): Promise<Paged<RecordedChange>> {
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
  const newest = { order: 'desc' } as const;
  const order = [
    { column: 'created_at', ...newest },
    { column: 'id', ...newest },
  ];
  return selectPage(query, order, page, toChange);
}

/** Removes the fields from recorded changes of subjects. The change itself, its author and its time stay. */
export async function forgetChanges(
  app: Pick<App, 'db'>,
  organizationId: number,
  subjects: string[],
): Promise<void> {
  await app.db
    .write('audit_log')
    .where({ organization_id: organizationId })
    .whereIn('subject', subjects)
    .update({ before: null, after: null });
}

function toChange(row: ChangeRow): RecordedChange {
  const { id, actor, action, subject } = row;
  const [before, after] = [fieldsOf(row.before), fieldsOf(row.after)];
  return { id, actor, action, subject, before, after, createdAt: row.created_at };
}

function fieldsOf(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}
