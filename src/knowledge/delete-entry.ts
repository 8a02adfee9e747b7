import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { checkVersion, type Entry } from './entry.js';
import { getEntry } from './read-entries.js';
import { removeEntries, recordEntry } from './store-entries.js';

/**
 * Deletes an entry, with immediate effect on searches. The audit log keeps its content. Returns the deleted entry.
 * Errors: `not_found`; `precondition_failed` as updateEntry does.
 */
export async function deleteEntry(
  app: App,
  actor: Actor,
  name: string,
  ifMatch?: string,
): Promise<Entry> {
  requirePermission(actor, 'knowledge.write');
  return inTransaction(app, async (app) => {
    const entry = await getEntry(app, actor, name);
    checkVersion(entry, ifMatch);
    await removeEntries(app, [entry.id]);
    await recordEntry(app, actor, 'delete', { before: entry });
    return entry;
  });
}
