import { requirePermission, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { insertApp, type SiteApp } from './sites.repository.js';

/** Creates an app of the actor's organization. Refuses with `conflict` when the name is taken. */
export async function createApp(
  app: App,
  actor: Actor,
  input: { name: string; defaultKnowledgeVisibility?: Visibility | null },
): Promise<SiteApp> {
  const { organizationId } = requirePermission(actor, 'administer');
  const name = input.name.trim();
  if (name === '') throw new AppError('invalid_request', 'The app needs a name.');
  const defaultKnowledgeVisibility = input.defaultKnowledgeVisibility ?? null;
  try {
    return await insertApp(app, { organizationId, name, defaultKnowledgeVisibility });
  } catch (error) {
    if (!app.db.dialect.isUniqueViolation(error)) throw error;
    throw new AppError('conflict', `The organization has an app named ${name} already.`);
  }
}
