import { requireAnotherAdmin } from '../accounts/manage-users.js';
import { verifyOwnPassword } from '../accounts/own-account.js';
import { recordChange } from '../audit/record-change.js';
import { findEntriesById } from '../knowledge/entries.repository.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { findRewriteDue, noteErased, noteRewritten } from './erasure-work.repository.js';
import { findPerson, type FoundPerson } from './find-person.js';
import type { NamedPerson } from './person.js';
import { erasePersonalRows, readPersonalRows } from './personal-rows.repository.js';
import { personalTables } from './personal-tables.js';

export interface Erasure {
  /** `user:7`. */
  person: string;
  /** The account of the same person, where an end user who is linked with one was erased. */
  linkedAccount: string | undefined;
  /** Rows that were deleted or made anonymous, by table. */
  rows: Record<string, number>;
  /** Uuids of entries that answers to the person's questions were published as: they stay, and may repeat their words. */
  publishedEntries: string[];
  /** Whether the file was rewritten since; else the retention worker does it. False in a rehearsal too. */
  rewritten: boolean;
}

/**
 * Removes a person from the database of the organization: rows of theirs are deleted or made anonymous in one
 * transaction, with its record, and then the file is rewritten. For admins. Refuses as findPerson does, and
 * with `conflict` the last active admin.
 */
export async function erasePerson(app: App, actor: Actor, named: NamedPerson): Promise<Erasure> {
  const { organizationId } = requirePermission(actor, 'administer');
  return erase(app, actor, organizationId, named);
}

/**
 * The same for a signed-in person about themselves. Refuses as verifyOwnPassword does: a token that somebody got hold of
 * is not enough.
 */
export async function eraseOwnData(
  app: App,
  actor: Actor,
  input: { currentPassword: string; address: string },
): Promise<Erasure> {
  const { user } = await verifyOwnPassword(app, actor, input);
  return erase(app, actor, user.organizationId, { kind: 'user', id: String(user.id) });
}

async function erase(
  app: App,
  actor: Actor,
  organizationId: number,
  named: NamedPerson,
): Promise<Erasure> {
  const erased = await inTransaction(app, async (app) => {
    const found = await findPerson(app, organizationId, named);
    if (found.user !== undefined) await requireAnotherAdmin(app, found.user);
    const publishedEntries = await listPublished(app, found);
    const rows: Record<string, number> = {};
    for (const table of personalTables) {
      const count = await erasePersonalRows(app, table, found.keys);
      if (count > 0) rows[table.table] = (rows[table.table] ?? 0) + count;
    }
    const { keys, name, linkedAccount } = found;
    // The id of a visitor identifies a browser; the number of a row that is gone identifies nobody.
    const subject = keys.visitorIds.length > 0 ? 'visitor' : name;
    await recordChange(app, actor, {
      ...{ organizationId, action: 'person.erase', subject },
      after: { rows },
    });
    await noteErased(app);
    return { person: name, linkedAccount, rows, publishedEntries };
  });
  return { ...erased, rewritten: await rewriteIfDue(app) };
}

/**
 * Rewrites the file where somebody was erased since it was last done. Within a transaction (a rehearsal), and where
 * others keep the database busy, it answers false: the retention worker tries again.
 */
export async function rewriteIfDue(app: App): Promise<boolean> {
  if (app.db.write.isTransaction === true) return false;
  const erased = await findRewriteDue(app);
  if (erased === undefined) return true;
  try {
    if (!(await app.db.dialect.rewrite(app.db.write))) return false;
    await noteRewritten(app, erased);
    return true;
  } catch (error) {
    app.log.warn({ err: error }, 'the database could not be rewritten after an erasure');
    return false;
  }
}

async function listPublished(app: App, { keys }: FoundPerson): Promise<string[]> {
  const requests = personalTables.find(
    ({ table, erase }) => table === 'knowledge_requests' && erase === 'delete',
  );
  if (requests === undefined) return [];
  const rows = await readPersonalRows(app, requests, keys);
  const ids = rows.flatMap(({ knowledge_entry_id: id }) => (typeof id === 'number' ? [id] : []));
  return (await findEntriesById(app, ids)).map(({ uuid }) => uuid);
}
