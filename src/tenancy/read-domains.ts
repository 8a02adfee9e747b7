import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import { getApp } from './manage-apps.js';
import { findDomainOfOrganization, listDomainsOf } from './sites-admin.repository.js';
import type { Domain } from './sites.repository.js';

/** A page of the organization's domains, by name. Refuses with `not_found` an app that it does not have. */
export async function listDomainsPage(
  app: App,
  actor: Actor,
  query: Page & { appId?: number | undefined },
): Promise<Paged<Domain>> {
  const { organizationId } = requirePermission(actor, 'administer');
  if (query.appId !== undefined) await getApp(app, actor, query.appId);
  return listDomainsOf(app, organizationId, query);
}

/** A domain of the organization. Refuses with `not_found` any other. */
export async function getDomain(app: App, actor: Actor, id: number): Promise<Domain> {
  const { organizationId } = requirePermission(actor, 'administer');
  const found = await findDomainOfOrganization(app, organizationId, id);
  if (found !== undefined) return found;
  throw new AppError('not_found', `There is no domain ${id} in this organization.`);
}
