import { recordChange } from '../audit/record-change.js';
import { requirePermission, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import { withUniqueName } from './create-app.js';
import { requiredName } from './required-name.js';
import { listAppsOf, updateAppRow } from './sites-admin.repository.js';
import { findApp, type SiteApp } from './sites.repository.js';
import { presentApp } from './tenancy.schema.js';

/** A page of the organization's apps, the first one first. */
export async function listAppsPage(app: App, actor: Actor, page: Page): Promise<Paged<SiteApp>> {
  const { organizationId } = requirePermission(actor, 'administer');
  return listAppsOf(app, organizationId, page);
}

/** An app of the organization. Refuses with `not_found` any other. */
export async function getApp(app: App, actor: Actor, id: number): Promise<SiteApp> {
  const { organizationId } = requirePermission(actor, 'administer');
  const found = await findApp(app, id);
  if (found?.organizationId === organizationId) return found;
  throw new AppError('not_found', `There is no app ${id} in this organization.`);
}

/**
 * Changes the given fields. Entries keep the visibility that they have: another default is for what is stored from
 * now on. Refuses with `not_found`, and `conflict` when the name is taken.
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
  return withUniqueName(app, input.name?.trim() ?? '', () =>
    inTransaction(app, async (app) => {
      const before = await getApp(app, actor, id);
      const name = input.name === undefined ? before.name : requiredName('name', input.name);
      const { defaultKnowledgeVisibility = before.defaultKnowledgeVisibility } = input;
      const isSame =
        name === before.name && defaultKnowledgeVisibility === before.defaultKnowledgeVisibility;
      if (isSame) return before;
      await updateAppRow(app, id, { name, defaultKnowledgeVisibility });
      const after = await getApp(app, actor, id);
      await recordChange(app, actor, {
        organizationId: before.organizationId,
        action: 'app.update',
        subject: `app:${id}`,
        before: presentApp(before),
        after: presentApp(after),
      });
      return after;
    }),
  );
}
