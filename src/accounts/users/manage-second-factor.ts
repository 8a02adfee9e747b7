import { recordChange } from '../../audit/record-change.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { findUser, type User } from './accounts.repository.js';
import { type Credentials, requirePasswordSignIn, withPassword } from './passwords.js';
import { getUser, refuseOneself } from './manage-users.js';
import { ownUser } from './own-account.js';
import { revokeSessionsOf } from './refresh-tokens.repository.js';
import { openSession, type Session } from './sessions.js';
import {
  newRecoveryCodes,
  newTotpSecret,
  otpauthUri,
  recoveryHashOf,
  secretPurpose,
  useCode,
} from '../second-factor/check-code.js';
import {
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  isCodeAsked,
  storeRecoveryCodes,
  storeUnconfirmed,
} from '../second-factor/second-factors.repository.js';

export interface SecondFactorState {
  enabled: boolean;
  /** True when auth.require_two_factor requires it. */
  required: boolean;
  recoveryCodesLeft: number;
}

/** Whether the caller has a second factor. Errors: `forbidden` for a caller who is not a user. */
export async function getSecondFactor(app: App, actor: Actor): Promise<SecondFactorState> {
  const user = await ownUser(app, actor);
  return {
    enabled: await isCodeAsked(app, user.id),
    required: app.config.auth.require_two_factor.includes(user.role),
    recoveryCodesLeft: await countRecoveryCodes(app, user.id),
  };
}

/** Whether a user of the actor's organization has a second factor. Errors: `not_found`. */
export async function hasSecondFactor(app: App, actor: Actor, id: number): Promise<boolean> {
  const user = await getUser(app, actor, id);
  return isCodeAsked(app, user.id);
}

/**
 * Creates a secret for the authenticator app of the person with this password. No code is required until a first code
 * confirms the secret. Refuses as a sign-in does, and with `conflict` when there is a second factor already.
 */
export async function beginSecondFactor(
  app: App,
  input: Omit<Credentials, 'code'>,
): Promise<{ secret: string; otpauthUri: string }> {
  const user = await withPassword(
    app,
    input,
    async (app, user) => {
      await requirePasswordSignIn(app, user);
      if (await isCodeAsked(app, user.id)) throw present();
      return user;
    },
    // This step asks for no code. Counting it as a successful sign-in would reset the limit on guesses.
    { isSignIn: false },
  );
  const secret = await newTotpSecret();
  const sealed = await app.secrets.seal(secret, secretPurpose(user.id));
  await inTransaction(app, async (app) => {
    if (await isCodeAsked(app, user.id)) throw present();
    if ((await findUser(app, user.id)) === undefined) throw absent();
    await storeUnconfirmed(app, user.id, sealed);
  });
  return { secret, otpauthUri: await otpauthUri(secret, user.email) };
}

/** Confirms the secret as enableSecondFactor does, and signs the person in. */
export async function confirmSecondFactor(
  app: App,
  input: Credentials,
): Promise<{ recoveryCodes: string[]; session: Session }> {
  return enableSecondFactor(app, input, (app, user) => openSession(app, user));
}

/**
 * Confirms the secret by a first code and requires codes from then on. Ends all sessions and opens a new one by `open`.
 * Refuses as a sign-in does, with `conflict` when there is nothing to confirm, and with `second_factor_required` when
 * the code is not valid now.
 */
export async function enableSecondFactor<T>(
  app: App,
  input: Credentials,
  open: (app: App, user: User) => Promise<T>,
): Promise<{ recoveryCodes: string[]; session: T }> {
  return withPassword(app, input, async (app, user, given) => {
    await requirePasswordSignIn(app, user);
    if (given.factor === undefined) throw absent();
    if (await isCodeAsked(app, user.id)) throw present();
    await useCode(app, user.id, given);
    const recoveryCodes = await replaceRecoveryCodes(app, user);
    await record(app, user, 'two_factor.enable');
    // Sessions that a password alone opened must end.
    await revokeSessionsOf(app, user.id);
    return { recoveryCodes, session: await open(app, user) };
  });
}

/** Replaces the recovery codes. Errors: those of disableSecondFactor. */
export async function renewRecoveryCodes(app: App, input: Credentials): Promise<string[]> {
  return withPassword(app, input, async (app, user, given) => {
    if (!(await isCodeAsked(app, user.id))) throw absent();
    await useCode(app, user.id, given);
    await record(app, user, 'two_factor.renew_recovery_codes');
    return replaceRecoveryCodes(app, user);
  });
}

/** Removes the second factor and ends all sessions. Refuses as a sign-in does, and with `conflict` without a factor. */
export async function disableSecondFactor(app: App, input: Credentials): Promise<void> {
  await withPassword(app, input, async (app, user, given) => {
    if (!(await isCodeAsked(app, user.id))) throw absent();
    await useCode(app, user.id, given);
    await deleteSecondFactor(app, user.id);
    await revokeSessionsOf(app, user.id);
    await record(app, user, 'two_factor.disable');
    return true;
  });
}

/**
 * Removes the second factor of a user who lost it, and ends all sessions. Errors: `not_found`; `conflict` when there is
 * none, or when it is the caller's own: a session alone must not remove it.
 */
export async function resetSecondFactor(app: App, actor: Actor, id: number): Promise<User> {
  const { organizationId } = requirePermission(actor, 'administer');
  return inTransaction(app, async (app) => {
    const user = await getUser(app, actor, id);
    const sentence = 'This is your own second factor. Disable it with your password and a code.';
    refuseOneself(actor, id, sentence, { is: 'own_factor' });
    if ((await findSecondFactor(app, id)) === undefined) throw absent();
    await deleteSecondFactor(app, id);
    await revokeSessionsOf(app, id);
    const subject = `user:${id}`;
    await recordChange(app, actor, { organizationId, action: 'two_factor.reset', subject });
    return user;
  });
}

/** Returns the codes in clear text, only this once. */
async function replaceRecoveryCodes(app: App, user: User): Promise<string[]> {
  const codes = newRecoveryCodes();
  await storeRecoveryCodes(
    app,
    user.id,
    codes.map((code) => recoveryHashOf(code) ?? ''),
  );
  return codes;
}

async function record(app: App, user: User, action: string): Promise<void> {
  const { id, organizationId, role } = user;
  const actor: Actor = { kind: 'user', organizationId, userId: id, role };
  await recordChange(app, actor, { organizationId, action, subject: `user:${id}` });
}

function present(): AppError {
  return new AppError('conflict', 'This account has a second factor already. Disable it first.', {
    reason: { is: 'factor_there' },
  });
}

function absent(): AppError {
  return new AppError('conflict', 'This account has no second factor. Set one up first.', {
    reason: { is: 'factor_missing' },
  });
}
