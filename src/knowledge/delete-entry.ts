import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import type { Entry } from './entry.js';
import { getEntry } from './read-entries.js';
import { removeEntries } from './store-entries.js';

/** Deletes an entry, from retrieval at once. Answers what it was. Refuses with `not_found`. */
export async function deleteEntry(app: App, actor: Actor, name: string): Promise<Entry> {
  requirePermission(actor, 'knowledge.write');
  return inTransaction(app, async (app) => {
    const entry = await getEntry(app, actor, name);
    await removeEntries(app, [entry.id]);
    return entry;
  });
}
