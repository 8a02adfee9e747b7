import { recordChange } from '../../audit/record-change.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { hashSecret, newSecret } from '../../platform/random-secret.js';
import { findUser, listUsers, type User } from './accounts.repository.js';
import { isStillAllowed } from './sessions.js';

/** How long a link may be used. */
const lifeMs = 300_000;

interface LinkRow {
  token_hash: string;
  user_id: number;
  expires_at: string;
}

/**
 * A token that signs in the organization's first admin once, within five minutes. Only its hash is stored. For those
 * who run the machine: they could set a new password as well. Errors: `forbidden` for everybody else; `not_found`
 * without an admin.
 */
export async function createSignInLink(app: App, actor: Actor): Promise<string> {
  const { organizationId } = requirePermission(actor, 'administer');
  if (actor.kind !== 'operator') {
    throw new AppError('forbidden', 'Only the operator of this installation makes such a link.');
  }
  const users = await listUsers(app, organizationId);
  const admin = users.find(({ role, disabled }) => role === 'admin' && !disabled);
  if (admin === undefined) {
    const sentence =
      'This organization has no admin. Add one: assistant users create --role admin --email <address>';
    throw new AppError('not_found', sentence);
  }
  const token = newSecret();
  await inTransaction(app, async (app) => {
    const now = timestamp(app.clock);
    await app.db.write('sign_in_links').where('expires_at', '<=', now).delete();
    const expires_at = timestamp(app.clock, lifeMs);
    const row = { token_hash: hashSecret(token), user_id: admin.id, expires_at };
    await app.db.write('sign_in_links').insert(row);
    const subject = `user:${admin.id}`;
    await recordChange(app, actor, { organizationId, action: 'user.sign_in_link', subject });
  });
  return token;
}

/** Opens a session by a link, once. Errors: `unauthenticated` for a link that was used, has expired or is unknown. */
export async function useSignInLink<T>(
  app: App,
  token: string,
  open: (app: App, user: User) => Promise<T>,
): Promise<T> {
  const opened = await inTransaction(app, async (app) => {
    const token_hash = hashSecret(token);
    const row = await app.db.read<LinkRow>('sign_in_links').where({ token_hash }).first();
    // Deleted in the same transaction, so that only one of two browsers is let in.
    await app.db.write('sign_in_links').where({ token_hash }).delete();
    if (row === undefined || row.expires_at <= timestamp(app.clock)) return undefined;
    const user = await findUser(app, row.user_id);
    if (user === undefined || user.disabled || !(await isStillAllowed(app, user, null)))
      return undefined;
    return { result: await open(app, user) };
  });
  if (opened !== undefined) return opened.result;
  const sentence =
    'This link was used before, or is older than five minutes. Make another one: assistant open backoffice';
  throw new AppError('unauthenticated', sentence, { reason: { is: 'link_over' } });
}
