import { recorderOf } from '../../audit/record-change.js';
import { requirePermission, type Actor, type Role } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction, unlessTaken } from '../../platform/db/in-transaction.js';
import { emailForm } from '../../platform/validate.js';
import { AppError } from '../../platform/errors.js';
import { insertUser, type User } from './accounts.repository.js';
import { presentUser } from './accounts.schema.js';

export const recordUser = recorderOf('user', presentUser);

export const minimumPasswordLength = 10;

/**
 * Creates a user of the actor's organization. Errors: `invalid_request` for an invalid address or password; `conflict`
 * for an address that already has an account, ignoring case.
 */
export async function createUser(
  app: App,
  actor: Actor,
  input: { email: string; displayName?: string | undefined; role: Role; password: string },
): Promise<User> {
  const { organizationId } = requirePermission(actor, 'administer');
  const email = checkEmail(input.email);
  checkPassword(input.password);
  const passwordHash = await app.passwords.hash(input.password, organizationId);
  const displayName = input.displayName?.trim() || (email.split('@')[0] ?? email);
  const fields = { organizationId, email, displayName, role: input.role, disabled: false };
  return inTransaction(app, async (app) => {
    const user = await unlessTaken(app, emailTaken(email), () =>
      insertUser(app, { ...fields, passwordHash }),
    );
    await recordUser(app, actor, 'create', { after: user });
    return user;
  });
}

/** The error of `unlessTaken` for a taken address. */
export const emailTaken = (email: string) =>
  [`There is an account for ${email} already.`, { is: 'account_taken', email }] as const;

/** Trims an address. Errors: `invalid_request` for an invalid one. */
export function checkEmail(text: string): string {
  const email = text.trim();
  if (emailForm.test(email)) return email;
  const message = `"${email}" is not an e-mail address.`;
  throw new AppError('invalid_request', message, {
    problems: [{ path: 'email', message, reason: { is: 'no_email' } }],
  });
}

/** Errors: `invalid_request` for a password that is too short or too long. */
export function checkPassword(password: string, field = 'password'): void {
  if (password.length >= minimumPasswordLength && password.length <= 1000) return;
  const message = `The password must have ${minimumPasswordLength} to 1000 characters.`;
  const reason = { is: 'password_length', least: minimumPasswordLength };
  throw new AppError('invalid_request', message, { problems: [{ path: field, message, reason }] });
}
