import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertRow } from '../platform/db/insert-row.js';
import { selectPage, type Page, type Paged } from '../platform/db/select-page.js';

/** A view of an app: a kind of page that the app reports, to which entries can be bound. */
export interface View {
  id: number;
  organizationId: number;
  appId: number;
  /** Canonical, e.g. `/invoices/:id`. */
  path: string;
  title: string;
  createdAt: string;
  updatedAt: string;
}

interface ViewRow {
  id: number;
  organization_id: number;
  app_id: number;
  path: string;
  title: string;
  created_at: string;
  updated_at: string;
}

type Store = Pick<App, 'db' | 'clock'>;

export async function insertView(
  app: Store,
  fields: Pick<View, 'organizationId' | 'appId' | 'path' | 'title'>,
): Promise<View> {
  const now = timestamp(app.clock);
  const row = {
    organization_id: fields.organizationId,
    app_id: fields.appId,
    path: fields.path,
    title: fields.title,
    created_at: now,
    updated_at: now,
  };
  return toView({ id: await insertRow(app.db.write, 'views', row), ...row });
}

/** A page of the organization's views, of one app or all, by path. */
export async function listViewsOf(
  app: Store,
  organizationId: number,
  { appId, ...page }: Page & { appId?: number | undefined },
): Promise<Paged<View>> {
  const query = app.db.read('views').where({ organization_id: organizationId });
  if (appId !== undefined) void query.where({ app_id: appId });
  const order = [{ column: 'path' }, { column: 'id' }];
  return selectPage<ViewRow, View>(query, order, page, toView);
}

export async function findViewOfOrganization(
  app: Store,
  organizationId: number,
  id: number,
): Promise<View | undefined> {
  const row = await app.db
    .read<ViewRow>('views')
    .where({ organization_id: organizationId, id })
    .first();
  return row === undefined ? undefined : toView(row);
}

/** A view of the app by its number or canonical path. */
export async function findView(
  app: Store,
  appId: number,
  by: { id: number } | { path: string },
): Promise<{ id: number; path: string } | undefined> {
  return app.db
    .read<{ id: number; app_id: number; path: string }>('views')
    .where({ app_id: appId, ...by })
    .first('id', 'path');
}

export async function listViewIds(app: Store, appId: number): Promise<number[]> {
  return (await app.db
    .read('views')
    .where({ app_id: appId })
    .orderBy('id')
    .pluck('id')) as number[];
}

export async function updateViewRow(
  app: Store,
  id: number,
  fields: Pick<View, 'path' | 'title'>,
): Promise<void> {
  await app.db
    .write('views')
    .where({ id })
    .update({ path: fields.path, title: fields.title, updated_at: timestamp(app.clock) });
}

export async function deleteViewRow(app: Store, id: number): Promise<void> {
  await app.db.write('views').where({ id }).delete();
}

function toView(row: ViewRow): View {
  return {
    id: row.id,
    organizationId: row.organization_id,
    appId: row.app_id,
    path: row.path,
    title: row.title,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
