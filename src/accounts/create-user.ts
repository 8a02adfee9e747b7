import { requirePermission, type Actor, type Role } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { insertUser, type User } from './accounts.repository.js';
import { hashPassword } from './passwords.js';

export const minimumPasswordLength = 10;

/**
 * Creates a user of the actor's organization. Refuses with `invalid_request` an address or password that
 * can't be used, and with `conflict` an address that has an account, in whatever case it is written.
 */
export async function createUser(
  app: App,
  actor: Actor,
  input: { email: string; displayName?: string | undefined; role: Role; password: string },
): Promise<User> {
  const { organizationId } = requirePermission(actor, 'administer');
  const email = checkEmail(input.email);
  checkPassword(input.password);
  const passwordHash = await hashPassword(input.password);
  const displayName = input.displayName?.trim() || (email.split('@')[0] ?? email);
  try {
    return await insertUser(app, {
      organizationId,
      email,
      displayName,
      role: input.role,
      disabled: false,
      passwordHash,
    });
  } catch (error) {
    if (!app.db.dialect.isUniqueViolation(error)) throw error;
    throw new AppError('conflict', `There is an account for ${email} already.`);
  }
}

/** The address without the blanks around it. Refuses with `invalid_request` what is none. */
export function checkEmail(text: string): string {
  const email = text.trim();
  if (/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(email)) return email;
  throw new AppError('invalid_request', `"${email}" is not an e-mail address.`);
}

/** Refuses with `invalid_request` a password that is too short, or endless. */
export function checkPassword(password: string): void {
  if (password.length >= minimumPasswordLength && password.length <= 1000) return;
  const length = `${minimumPasswordLength} to 1000 characters`;
  throw new AppError('invalid_request', `The password must have ${length}.`);
}
