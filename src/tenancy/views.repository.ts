import type { Store } from '../platform/app.js';
import { plain, type RecordOf, table } from '../platform/db/record.js';
import type { Page, Paged } from '../platform/db/select-page.js';

export const views = table('views', {
  id: plain<number>(),
  organizationId: plain<number>(),
  appId: plain<number>(),
  /** Canonical, e.g. `/invoices/:id`. */
  path: plain<string>(),
  title: plain<string>(),
  createdAt: plain<string>(),
  updatedAt: plain<string>(),
});

/** A view of an app: a kind of page that the app reports, to which entries can be bound. */
export type View = RecordOf<typeof views>;

/** A page of the organization's views, of one app or all, by path. */
export async function listViewsOf(
  app: Store,
  organizationId: number,
  { appId, ...page }: Page & { appId?: number | undefined },
): Promise<Paged<View>> {
  const query = app.db.read('views').where({ organization_id: organizationId });
  if (appId !== undefined) void query.where({ app_id: appId });
  return views.page(query, [{ column: 'path' }, { column: 'id' }], page);
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
