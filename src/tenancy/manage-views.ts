import { recorderOf } from '../audit/record-change.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction, unlessTaken } from '../platform/db/in-transaction.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError, refusedField } from '../platform/errors.js';
import { getApp } from './manage-apps.js';
import { normalizeViewPath } from './page-address.js';
import { requiredText } from '../platform/validate.js';
import { counted } from '../platform/text/counted.js';
import { presentView } from './tenancy.schema.js';
import { listViewsOf, views, type View } from './views.repository.js';

export type { View };

const recordView = recorderOf('view', presentView);

/** A page of the organization's views, by path. Errors: `not_found` for an app of another organization. */
export async function listViewsPage(
  app: App,
  actor: Actor,
  query: Page & { appId?: number | undefined },
): Promise<Paged<View>> {
  const { organizationId } = requirePermission(actor, 'administer');
  if (query.appId !== undefined) await getApp(app, actor, query.appId);
  return listViewsOf(app, organizationId, query);
}

/** A view of the organization. Errors: `not_found` for any other. */
export async function getView(app: App, actor: Actor, id: number): Promise<View> {
  const { organizationId } = requirePermission(actor, 'administer');
  const found = await views.find(app, { organizationId, id });
  if (found !== undefined) return found;
  throw new AppError('not_found', `There is no view ${id} in this organization.`);
}

/**
 * Adds a view to an app. Errors: `invalid_request` for an invalid path; `not_found` for an app of another organization;
 * `conflict` for a path that already has a view.
 */
export async function createView(
  app: App,
  actor: Actor,
  input: { appId: number; path: string; title: string },
): Promise<View> {
  const { organizationId } = requirePermission(actor, 'administer');
  const path = canonicalPath(input.path);
  const title = requiredText('title', input.title);
  return unlessTaken(app, taken(path), () =>
    inTransaction(app, async (app) => {
      const { id: appId } = await getApp(app, actor, input.appId);
      const view = await views.insert(app, { organizationId, appId, path, title });
      await recordView(app, actor, 'create', { after: view });
      return view;
    }),
  );
}

/** Changes the given fields. Entries stay bound to the view. Errors: those of createView. */
export async function updateView(
  app: App,
  actor: Actor,
  id: number,
  input: { path?: string | undefined; title?: string | undefined },
): Promise<View> {
  const given = input.path === undefined ? undefined : canonicalPath(input.path);
  return unlessTaken(app, taken(given ?? ''), () =>
    inTransaction(app, async (app) => {
      const before = await getView(app, actor, id);
      const path = given ?? before.path;
      const title = input.title === undefined ? before.title : requiredText('title', input.title);
      if (path === before.path && title === before.title) return before;
      await views.change(app, id, { path, title });
      const after = await getView(app, actor, id);
      await recordView(app, actor, 'update', { before, after });
      return after;
    }),
  );
}

/** Deletes a view. Errors: `not_found`; `conflict` while entries are bound to it. */
export async function deleteView(app: App, actor: Actor, id: number): Promise<void> {
  await inTransaction(app, async (app) => {
    const view = await getView(app, actor, id);
    const bound = await app.siteContents.countEntriesBoundTo(app, { viewIds: [id] });
    if (bound > 0) {
      const entries = counted(bound, 'entry is', 'entries are');
      throw new AppError('conflict', `${entries} bound to this view. Bind or delete them first.`, {
        reason: { is: 'view_in_use', count: bound },
      });
    }
    await views.delete(app, id);
    await recordView(app, actor, 'delete', { before: view });
  });
}

/** A view's path in its stored form. Errors: `invalid_request` for an invalid path. */
export function canonicalPath(text: string): string {
  const path = normalizeViewPath(text);
  if (text.trim().startsWith('/') && !path.includes('*')) return path;
  const message = 'must be a path that begins with / and has no *, e.g. /invoices/:id';
  throw refusedField('path', message, 'invalid_request', { is: 'view_path' });
}

const taken = (path: string) =>
  [`The app has a view of ${path} already.`, { is: 'view_taken', path }] as const;
