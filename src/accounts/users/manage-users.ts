import { recordChange } from '../../audit/record-change.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction, unlessTaken } from '../../platform/db/in-transaction.js';
import type { Page, Paged } from '../../platform/db/select-page.js';
import { AppError, type Reason } from '../../platform/errors.js';
import { findNamed, type Wanted } from '../../platform/find-named.js';
import {
  countOtherAdmins,
  deleteUserRow,
  findUserOf,
  listUsers,
  pageOfUsers,
  setPasswordHash,
  updateUserRow,
  type User,
  type UserChange,
  type UserFilter,
} from './accounts.repository.js';
import { checkEmail, checkPassword, emailTaken, recordUser } from './create-user.js';
import { isCodeAsked } from '../second-factor/second-factors.repository.js';
import { endAllAccess } from './sessions.js';

/** The users of the actor's organization, in order of creation. */
export async function listUsersPage(
  app: App,
  actor: Actor,
  input: Page & UserFilter,
): Promise<Paged<User>> {
  const { organizationId } = requirePermission(actor, 'administer');
  return pageOfUsers(app, organizationId, input, input);
}

/** Errors: `not_found` for a user who is not of the actor's organization. */
export async function getUser(app: App, actor: Actor, id: number): Promise<User> {
  const { organizationId } = requirePermission(actor, 'administer');
  const user = await findUserOf(app, organizationId, id);
  if (user === undefined) throw new AppError('not_found', `There is no user ${id}.`);
  return user;
}

/** Finds a user by e-mail address, number, or the beginning of the address. Errors: those of findNamed. */
export async function getUserNamed(
  app: App,
  actor: Actor,
  name: string,
  { whole }: Wanted = {},
): Promise<User> {
  const { organizationId } = requirePermission(actor, 'administer');
  const among = await listUsers(app, organizationId);
  const namesOf = ({ id, email }: User) => ({ id, names: [email] });
  return findNamed(name, { thing: 'user', among, namesOf, whole });
}

/**
 * Changes the given fields. Disabling ends all access at once; enabling does not restore it. Errors: `not_found`;
 * `conflict` when the address is taken or the organization would have no admin.
 */
export async function updateUser(
  app: App,
  actor: Actor,
  { id, ...change }: { id: number } & { [K in keyof UserChange]: UserChange[K] | undefined },
): Promise<User> {
  requirePermission(actor, 'administer');
  const email = change.email === undefined ? undefined : checkEmail(change.email);
  return inTransaction(app, async (app) => {
    const before = await getUser(app, actor, id);
    const wanted: User = {
      ...before,
      email: email ?? before.email,
      // A name can't be empty, because lists show it.
      displayName: change.displayName?.trim() || before.displayName,
      role: change.role ?? before.role,
      disabled: change.disabled ?? before.disabled,
    };
    if (wanted.role !== 'admin' || wanted.disabled) await requireAnotherAdmin(app, before);
    await unlessTaken(app, emailTaken(wanted.email), () => updateUserRow(app, id, wanted));
    if (wanted.disabled && !before.disabled) await endAllAccess(app, id);
    const after = await getUser(app, actor, id);
    await recordUser(app, actor, 'update', { before, after });
    return after;
  });
}

/**
 * Deletes a user and ends all their access. Errors: `not_found`; `conflict` for the last admin and for one's own
 * account if it has a second factor.
 */
export async function deleteUser(app: App, actor: Actor, id: number): Promise<void> {
  requirePermission(actor, 'administer');
  await inTransaction(app, async (app) => {
    const user = await getUser(app, actor, id);
    await refuseOwnGuarded(app, actor, id);
    await requireAnotherAdmin(app, user);
    await deleteUserRow(app, id);
    await recordUser(app, actor, 'delete', { before: user });
  });
}

/**
 * Errors: `conflict` for an admin's action on their own account. Otherwise a stolen token would replace the password
 * and the code. The operator of the machine has no account.
 */
export function refuseOneself(actor: Actor, id: number, sentence: string, reason?: Reason): void {
  if (actor.kind === 'user' && actor.userId === id)
    throw new AppError('conflict', sentence, { reason });
}

/** The same if the account has a second factor, which a session alone must not bypass. */
async function refuseOwnGuarded(app: App, actor: Actor, id: number): Promise<void> {
  if (!(await isCodeAsked(app, id))) return;
  const sentence =
    'This is your own account, and it has a second factor. Use POST /api/me/password or /api/me/erase with a code, or ask another admin.';
  refuseOneself(actor, id, sentence, { is: 'own_account' });
}

/**
 * Sets a new password and ends all access that the old one gave. Errors: `not_found`; `conflict` for one's own account
 * if it has a second factor.
 */
export async function resetPassword(
  app: App,
  actor: Actor,
  input: { id: number; password: string },
): Promise<User> {
  const { organizationId } = requirePermission(actor, 'administer');
  await getUser(app, actor, input.id);
  checkPassword(input.password);
  const hash = await app.passwords.hash(input.password, organizationId);
  return inTransaction(app, async (app) => {
    // Read again: the user may have been deleted while the password was hashed.
    const { id } = await getUser(app, actor, input.id);
    await refuseOwnGuarded(app, actor, id);
    await setPasswordHash(app, id, hash);
    await endAllAccess(app, id);
    const subject = `user:${id}`;
    await recordChange(app, actor, { organizationId, action: 'user.reset_password', subject });
    return getUser(app, actor, id);
  });
}

/** Errors: `conflict` for the organization’s last active admin. */
export async function requireAnotherAdmin(app: App, user: User): Promise<void> {
  if (!(await isLastAdmin(app, user))) return;
  const sentence = `${user.email} is the last active admin. Make another user an admin first.`;
  throw new AppError('conflict', sentence, { reason: { is: 'last_admin', email: user.email } });
}

/** True when the organization would have no active admin without this user. */
export async function isLastAdmin(app: App, user: User): Promise<boolean> {
  return user.role === 'admin' && !user.disabled && (await countOtherAdmins(app, user)) === 0;
}
