import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { findUsersById } from './accounts.repository.js';

/**
 * The names of people of the organization for the actors in the record of changes, e.g. `user:7`. Omits programs, the
 * operator, and deleted people.
 */
export async function nameActors(
  app: App,
  actor: Actor,
  names: readonly string[],
): Promise<Map<string, string>> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const ids = names.flatMap((name) => /^user:(\d+)$/.exec(name)?.slice(1).map(Number) ?? []);
  const users = await findUsersById(app, [...new Set(ids)]);
  return new Map(
    users
      .filter((user) => user.organizationId === organizationId)
      .map(({ id, displayName }) => [`user:${id}`, displayName]),
  );
}
