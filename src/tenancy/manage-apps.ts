import { recorderOf } from '../audit/record-change.js';
import { requirePermission, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction, unlessTaken } from '../platform/db/in-transaction.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import { counted } from '../platform/text/counted.js';
import { requiredText } from '../platform/validate.js';
import { listAppsOf, listDomainsOf } from './sites-admin.repository.js';
import { apps, findApp, type SiteApp } from './sites.repository.js';
import { presentApp } from './tenancy.schema.js';
import { listViewIds } from './views.repository.js';

export type { SiteApp };

const recordApp = recorderOf('app', presentApp);

/** A page of the organization's apps, in order of creation. */
export async function listAppsPage(app: App, actor: Actor, page: Page): Promise<Paged<SiteApp>> {
  const { organizationId } = requirePermission(actor, 'administer');
  return listAppsOf(app, organizationId, page);
}

/** An app of the organization. Errors: `not_found` for any other. */
export async function getApp(app: App, actor: Actor, id: number): Promise<SiteApp> {
  const { organizationId } = requirePermission(actor, 'administer');
  const found = await findApp(app, id);
  if (found?.organizationId === organizationId) return found;
  throw new AppError('not_found', `There is no app ${id} in this organization.`);
}

/** Creates an app of the actor's organization. Errors: `conflict` when the name is taken. */
export async function createApp(
  app: App,
  actor: Actor,
  input: { name: string; defaultKnowledgeVisibility?: Visibility | null | undefined },
): Promise<SiteApp> {
  const { organizationId } = requirePermission(actor, 'administer');
  const name = requiredText('name', input.name);
  const defaultKnowledgeVisibility = input.defaultKnowledgeVisibility ?? null;
  return unlessTaken(app, taken(name), () =>
    inTransaction(app, async (app) => {
      const created = await apps.insert(app, { organizationId, name, defaultKnowledgeVisibility });
      await recordApp(app, actor, 'create', { after: created });
      return created;
    }),
  );
}

/**
 * Changes the given fields. A new default visibility applies only to entries stored later. Errors: `not_found`;
 * `conflict` when the name is taken.
 */
export async function updateApp(
  app: App,
  actor: Actor,
  id: number,
  input: {
    name?: string | undefined;
    defaultKnowledgeVisibility?: Visibility | null | undefined;
  },
): Promise<SiteApp> {
  return unlessTaken(app, taken(input.name?.trim() ?? ''), () =>
    inTransaction(app, async (app) => {
      const before = await getApp(app, actor, id);
      const name = input.name === undefined ? before.name : requiredText('name', input.name);
      const { defaultKnowledgeVisibility = before.defaultKnowledgeVisibility } = input;
      const isSame =
        name === before.name && defaultKnowledgeVisibility === before.defaultKnowledgeVisibility;
      if (isSame) return before;
      await apps.change(app, id, { name, defaultKnowledgeVisibility });
      const after = await getApp(app, actor, id);
      await recordApp(app, actor, 'update', { before, after });
      return after;
    }),
  );
}

const taken = (name: string) =>
  [`The organization has an app named ${name} already.`, { is: 'app_taken', name }] as const;

/**
 * Deletes an app with its views, widget keys and end users; conversations and requests stay with the organization.
 * Errors: `not_found`; `conflict` (naming the rest) while it has entries, batches or domains.
 */
export async function deleteApp(app: App, actor: Actor, id: number): Promise<void> {
  await inTransaction(app, async (app) => {
    const site = await getApp(app, actor, id);
    const left = await whatIsLeft(app, site.organizationId, id);
    if (left.length > 0) {
      throw new AppError(
        'conflict',
        `The app ${site.name} still has ${left.join(', ')}. Delete or move them first.`,
        { reason: { is: 'app_in_use', app: site.name } },
      );
    }
    await apps.delete(app, id);
    await recordApp(app, actor, 'delete', { before: site });
  });
}

async function whatIsLeft(app: App, organizationId: number, appId: number): Promise<string[]> {
  const { total: domains } = await listDomainsOf(app, organizationId, { appId, page: 1, limit: 1 });
  // Entries that wait for a domain may be bound to a view of this app.
  const viewIds = await listViewIds(app, appId);
  const entries = await app.siteContents.countEntriesBoundTo(app, { appId, viewIds });
  const batches = await app.siteContents.countBatches(app, appId);
  return [
    ...(entries === 0 ? [] : [counted(entries, 'entry', 'entries')]),
    ...(batches === 0 ? [] : [counted(batches, 'ingestion batch', 'ingestion batches')]),
    ...(domains === 0 ? [] : [counted(domains, 'domain')]),
  ];
}
