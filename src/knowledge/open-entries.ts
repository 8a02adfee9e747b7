import { may, ownTiers, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { findForeignEntries, findOpenEntries } from './entries.repository.js';

/**
 * Those of the entries, named by their uuids, that the actor may open as they stand now. To those who write knowledge
 * what is gone altogether is open too: they look after what was told of it, and the audit log shows it to them.
 */
export async function openEntries(
  app: Pick<App, 'db' | 'clock'>,
  actor: Exclude<Actor, { kind: 'anonymous' }>,
  uuids: string[],
): Promise<Set<string>> {
  if (uuids.length === 0) return new Set();
  const { organizationId } = actor;
  const writes = may(actor, 'knowledge.write');
  const appId = 'appId' in actor ? actor.appId : undefined;
  const reader = { organizationId, appId, tiers: ownTiers(actor), drafts: writes };
  const open = new Set(await findOpenEntries(app, reader, uuids));
  if (!writes || uuids.every((uuid) => open.has(uuid))) return open;
  const foreign = new Set(await findForeignEntries(app, organizationId, uuids));
  return new Set(uuids.filter((uuid) => open.has(uuid) || !foreign.has(uuid)));
}
