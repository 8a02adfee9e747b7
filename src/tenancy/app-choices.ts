import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { listApps, type SiteApp } from './sites.repository.js';

/** The apps among which the organization's staff choose, in order of creation. */
export async function listAppChoices(
  app: App,
  actor: Actor,
): Promise<Pick<SiteApp, 'id' | 'name' | 'defaultKnowledgeVisibility'>[]> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  return listApps(app, organizationId);
}
