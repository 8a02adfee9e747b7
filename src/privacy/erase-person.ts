import { refuseOneself, requireAnotherAdmin } from '../accounts/users/manage-users.js';
import { verifyOwnPassword, type OwnCredentials } from '../accounts/users/own-account.js';
import { proveByProvider } from '../accounts/sso/finish-sign-in.js';
import { recordChange } from '../audit/record-change.js';
import { findEntriesById } from '../knowledge/entries.repository.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { findOneself, findPerson, nothingUnder, type FoundPerson } from './find-person.js';
import type { NamedPerson } from './person.js';
import {
  erasePersonalRows,
  findRewriteDue,
  noteErased,
  noteRewritten,
  ownTable,
  readPersonalRows,
} from './personal-rows.repository.js';
import { personalTables } from './personal-tables.js';

/** The code of a provider sign-in at which the person was asked again. */
export interface OwnSignIn {
  signIn: { code: string; codeVerifier: string };
  address: string;
}

export interface Erasure {
  /** `user:7`. */
  person: string;
  /** Everybody who was found and erased: `user:7`, `end_user:12`, `visitor:<uuid>`, `conversation:<uuid>`. */
  found: string[];
  /** The linked account of an erased end user. It is not erased. */
  linkedAccount: string | undefined;
  /** The linked identities of a person who erased their own account. They are not erased. */
  linkedIdentities: string[];
  /** Rows that were deleted or anonymized, by table. */
  rows: Record<string, number>;
  /** Uuids of published entries with answers to the person's questions. They stay, and may repeat their words. */
  publishedEntries: string[];
  /** True when the file has been rewritten; otherwise the retention worker does it. Also false in a rehearsal. */
  rewritten: boolean;
}

/**
 * Erases a person from the organization's data: deletes or anonymizes their rows in one transaction with its record,
 * then rewrites the file. For admins. Refuses as findPerson does, also after an earlier erasure, and with `conflict`
 * the last active admin and one's own account.
 */
export async function erasePerson(app: App, actor: Actor, named: NamedPerson): Promise<Erasure> {
  const { organizationId } = requirePermission(actor, 'administer');
  return erase(app, actor, named, async (app) => {
    const found = await findPerson(app, organizationId, named);
    const sentence =
      'This is you. Erase yourself with your password: POST /api/me/erase, or ask another admin.';
    if (found.user !== undefined)
      refuseOneself(actor, found.user.id, sentence, { is: 'own_account_erase' });
    return found;
  });
}

/**
 * The same for a signed-in person's own account, without its linked identities. Refuses as verifyOwnPassword or
 * proveByProvider does, because a stolen token must not be enough.
 */
export async function eraseOwnData(
  app: App,
  actor: Actor,
  input: OwnCredentials | OwnSignIn,
): Promise<Erasure> {
  const user =
    'signIn' in input
      ? await proveByProvider(app, actor, { ...input.signIn, address: input.address })
      : (await verifyOwnPassword(app, actor, input)).user;
  const named = { kind: 'user', id: String(user.id) } as const;
  return erase(app, actor, named, (app) => findOneself(app, user));
}

async function erase(
  app: App,
  actor: Actor,
  named: NamedPerson,
  find: (app: App) => Promise<FoundPerson>,
): Promise<Erasure> {
  const work = inTransaction(app, async (app) => {
    const found = await find(app);
    if (found.user !== undefined) await requireAnotherAdmin(app, found.user);
    const publishedEntries = await listPublished(app, found);
    const rows: Record<string, number> = {};
    for (const table of personalTables) {
      const count = await erasePersonalRows(app, table, found.keys);
      if (count > 0) rows[table.table] = (rows[table.table] ?? 0) + count;
    }
    if (Object.keys(rows).length === 0) throw nothingUnder(named);
    const { keys, name, subject, recorded, found: names } = found;
    const { linkedAccount, linkedIdentities } = found;
    await recordChange(app, actor, {
      organizationId: keys.organizationId,
      action: 'person.erase',
      subject,
      after: { found: recorded, rows },
    });
    await noteErased(app);
    return { person: name, found: names, linkedAccount, linkedIdentities, rows, publishedEntries };
  });
  const erased = await work.catch((error: unknown) => refuseFinished(app, error));
  return { ...erased, rewritten: await rewriteIfDue(app) };
}

/** Requesting an erasure again completes one that was interrupted before the file was rewritten. */
async function refuseFinished(app: App, error: unknown): Promise<never> {
  const isNothing = error instanceof AppError && error.code === 'not_found';
  if (!isNothing || app.db.write.isTransaction === true) throw error;
  if ((await findRewriteDue(app)) === undefined) throw error;
  const sentence = (await rewriteIfDue(app))
    ? 'An earlier erasure had not rewritten the database file: it is rewritten now.'
    : 'The database file is still to be rewritten after an erasure: the server does it within the hour.';
  throw new AppError('not_found', `${error.message} ${sentence}`, { cause: error });
}

/**
 * Rewrites the file if somebody was erased since the last rewrite. Returns false inside a transaction (a rehearsal), or
 * while others keep the database busy: then the retention worker tries again.
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
  const requests = ownTable('knowledge_requests');
  const ids: number[] = [];
  for await (const rows of readPersonalRows(app, requests, keys)) {
    for (const { knowledge_entry_id: id } of rows) if (typeof id === 'number') ids.push(id);
  }
  return (await findEntriesById(app, ids)).map(({ uuid }) => uuid);
}
