import { recordChange } from '../../audit/record-change.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction, unlessTaken } from '../../platform/db/in-transaction.js';
import type { Page, Paged } from '../../platform/db/select-page.js';
import { AppError } from '../../platform/errors.js';
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
import { presentUser } from './accounts.schema.js';
import { checkEmail, checkPassword, emailTaken } from './create-user.js';
import { hashPassword } from './passwords.js';
import { endAllAccess } from './sessions.js';

/** The users of the actor's organization, in the order in which they were made. */
export async function listUsersPage(
  app: App,
  actor: Actor,
  input: Page & UserFilter,
): Promise<Paged<User>> {
  const { organizationId } = requirePermission(actor, 'administer');
  return pageOfUsers(app, organizationId, input, input);
}

/** Refuses with `not_found` a user who is not of the actor's organization. */
export async function getUser(app: App, actor: Actor, id: number): Promise<User> {
  const { organizationId } = requirePermission(actor, 'administer');
  const user = await findUserOf(app, organizationId, id);
  if (user === undefined) throw new AppError('not_found', `There is no user ${id}.`);
  return user;
}

/** The same by e-mail address, number, or the beginning of the address. Refuses as findNamed does. */
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
 * Changes what is given. Disabling ends all access at once, and enabling brings none of it back. Refuses with
 * `not_found`, and with `conflict` an address that is taken or what leaves the organization without an admin.
 */
export async function updateUser(
  app: App,
  actor: Actor,
  { id, ...change }: { id: number } & { [K in keyof UserChange]: UserChange[K] | undefined },
): Promise<User> {
  const { organizationId } = requirePermission(actor, 'administer');
  const email = change.email === undefined ? undefined : checkEmail(change.email);
  return inTransaction(app, async (app) => {
    const before = await getUser(app, actor, id);
    const wanted: User = {
      ...before,
      email: email ?? before.email,
      // A name can't be emptied: something must stand for the person.
      displayName: change.displayName?.trim() || before.displayName,
      role: change.role ?? before.role,
      disabled: change.disabled ?? before.disabled,
    };
    if (wanted.role !== 'admin' || wanted.disabled) await requireAnotherAdmin(app, before);
    await unlessTaken(app, emailTaken(wanted.email), () => updateUserRow(app, id, wanted));
    if (wanted.disabled && !before.disabled) await endAllAccess(app, id);
    const after = await getUser(app, actor, id);
    await recordChange(app, actor, {
      organizationId,
      action: 'user.update',
      subject: `user:${id}`,
      before: presentUser(before),
      after: presentUser(after),
    });
    return after;
  });
}

/** Removes a user with all access. Refuses with `not_found`, and with `conflict` the last admin. */
export async function deleteUser(app: App, actor: Actor, id: number): Promise<void> {
  const { organizationId } = requirePermission(actor, 'administer');
  await inTransaction(app, async (app) => {
    const user = await getUser(app, actor, id);
    await requireAnotherAdmin(app, user);
    await deleteUserRow(app, id);
    await recordChange(app, actor, {
      organizationId,
      action: 'user.delete',
      subject: `user:${id}`,
      before: presentUser(user),
    });
  });
}

/** Gives a user another password, and ends all access that the old one gave. Refuses with `not_found`. */
export async function resetPassword(
  app: App,
  actor: Actor,
  input: { id: number; password: string },
): Promise<User> {
  const { organizationId } = requirePermission(actor, 'administer');
  await getUser(app, actor, input.id);
  checkPassword(input.password);
  const hash = await hashPassword(input.password, organizationId);
  return inTransaction(app, async (app) => {
    // Asked again: the user may have gone while the password was hashed.
    const { id } = await getUser(app, actor, input.id);
    await setPasswordHash(app, id, hash);
    await endAllAccess(app, id);
    const subject = `user:${id}`;
    await recordChange(app, actor, { organizationId, action: 'user.reset_password', subject });
    return getUser(app, actor, id);
  });
}

/** Refuses with `conflict` to take away the organization’s last active admin. */
export async function requireAnotherAdmin(app: App, user: User): Promise<void> {
  if (!(await isLastAdmin(app, user))) return;
  const sentence = `${user.email} is the last active admin. Make another user an admin first.`;
  throw new AppError('conflict', sentence);
}

/** Whether the organization would have no active admin without this user. */
export async function isLastAdmin(app: App, user: User): Promise<boolean> {
  return user.role === 'admin' && !user.disabled && (await countOtherAdmins(app, user)) === 0;
}
