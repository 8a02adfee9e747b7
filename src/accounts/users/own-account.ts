import { recordChange } from '../../audit/record-change.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError, type Reason } from '../../platform/errors.js';
import { findOrganization } from '../../tenancy/sites.repository.js';
import type { Organization } from '../../tenancy/sites.repository.js';
import {
  emailKey,
  findPasswordHash,
  findUserOf,
  setPasswordHash,
  updateUserRow,
  type User,
} from './accounts.repository.js';
import { checkPassword, recordUser } from './create-user.js';
import { requirePasswordRules } from './passwords.js';
import { readCode, takeCode } from '../second-factor/check-code.js';
import { isCodeAsked } from '../second-factor/second-factors.repository.js';
import { endAllAccess } from './sessions.js';

export interface OwnAccount extends User {
  organization: Organization;
}

/** The caller's account. Errors: `forbidden` for the operator, who has no account. */
export async function getOwnAccount(app: App, actor: Actor): Promise<OwnAccount> {
  const user = await ownUser(app, actor);
  return { ...user, organization: await organizationOf(app, user) };
}

/** The organization of a user who was just read. */
export async function organizationOf(app: App, { organizationId }: User): Promise<Organization> {
  const organization = await findOrganization(app, organizationId);
  if (organization === undefined) throw gone();
  return organization;
}

/** Changes the display fields of the caller's account. A blank name changes nothing. */
export async function updateOwnAccount(
  app: App,
  actor: Actor,
  input: { displayName?: string | undefined },
): Promise<OwnAccount> {
  await inTransaction(app, async (app) => {
    const before = await ownUser(app, actor);
    const displayName = input.displayName?.trim() || before.displayName;
    await updateUserRow(app, before.id, { displayName });
    const after = await ownUser(app, actor);
    await recordUser(app, actor, 'update', { before, after });
  });
  return getOwnAccount(app, actor);
}

export interface OwnCredentials {
  currentPassword: string;
  /** Needed when the account has a second factor. */
  code?: string | undefined;
  address: string;
}

/**
 * Changes the caller's password. Ends all sessions and long-lived tokens, and returns a new session from `open`. Refuses as
 * `verifyOwnPassword` does, as a password sign-in does when the rules forbid it, and with `invalid_request` an invalid
 * new password.
 */
export async function changePassword<T>(
  app: App,
  actor: Actor,
  input: OwnCredentials & { newPassword: string },
  open: (app: App, user: User) => Promise<T>,
): Promise<T> {
  checkPassword(input.newPassword, 'new_password');
  const { user, verifiedHash } = await verifyOwnPassword(app, actor, input);
  const hash = await app.passwords.hash(input.newPassword, user.organizationId);
  return inTransaction(app, async (app) => {
    const present = await ownUser(app, actor);
    await requirePasswordRules(app, present);
    // Somebody changed the password meanwhile, so the verified password is outdated.
    if ((await findPasswordHash(app, user.id)) !== verifiedHash) throw wrongPassword();
    await setPasswordHash(app, user.id, hash);
    await endAllAccess(app, user.id);
    const { organizationId } = present;
    const subject = `user:${user.id}`;
    await recordChange(app, actor, { organizationId, action: 'user.change_password', subject });
    return open(app, present);
  });
}

/**
 * Verifies the caller's password, and uses up a code if there is a second factor, before actions that a token alone
 * must not do. Errors: `unprocessable` for an account without a password (people of an identity provider), and a wrong
 * password or code, which counts as an attempt to sign in (`rate_limited`).
 */
export async function verifyOwnPassword(
  app: App,
  actor: Actor,
  { currentPassword, code, address }: OwnCredentials,
): Promise<{ user: User; verifiedHash: string | null }> {
  const user = await ownUser(app, actor);
  const verifiedHash = await findPasswordHash(app, user.id);
  if (verifiedHash === null) {
    throw new AppError(
      'unprocessable',
      'This account has no password: it signs in by an identity provider.',
      { reason: { is: 'no_password' } },
    );
  }
  const attempt = await app.signIns.attempt(emailKey(user.email), address);
  const matches = await app.passwords.verify(verifiedHash, currentPassword, user.organizationId);
  if (!matches) throw wrongPassword();
  const given = await readCode(app, user.id, code);
  if (given.factor !== undefined && given.isGiven) await attempt.countCode();
  const fault = await inTransaction(app, async (app) =>
    (await isCodeAsked(app, user.id)) ? takeCode(app, user.id, given) : undefined,
  );
  if (fault !== undefined) throw wrong('code', fault, { is: 'wrong_code' });
  await attempt.succeeded(user.id);
  return { user, verifiedHash };
}

/** The calling user. Errors: `forbidden` for the operator, who has no account. */
export async function ownUser(app: App, actor: Actor): Promise<User> {
  const member = requirePermission(actor, 'ask');
  if (member.kind !== 'user') {
    throw new AppError('forbidden', 'The operator has no account of its own. Sign in as a user.');
  }
  const user = await findUserOf(app, member.organizationId, member.userId);
  if (user === undefined || user.disabled) throw gone();
  return user;
}

/** The account was deleted or disabled after the request was authenticated. */
function gone(): AppError {
  return new AppError('unauthenticated', 'This account has ended. Sign in again.');
}

function wrongPassword(): AppError {
  return wrong('current_password', 'The current password is not right.', { is: 'wrong_password' });
}

/** Not a 401, because the request's token is valid. */
function wrong(path: string, message: string, reason: Reason): AppError {
  return new AppError('unprocessable', message, { problems: [{ path, message, reason }] });
}
