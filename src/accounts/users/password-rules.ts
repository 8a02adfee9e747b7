import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import type { User } from './accounts.repository.js';
import { isCodeAsked } from '../second-factor/second-factors.repository.js';
import { isPasswordSignInOn } from '../providers/providers.repository.js';

/**
 * Whether a password may sign this user in, by the rules of the organization and of the operator. Refuses with
 * `password_sign_in_off` and `second_factor_missing`.
 */
export async function requirePasswordRules(app: App, user: User): Promise<void> {
  await requirePasswordSignIn(app, user);
  if (!app.config.auth.require_two_factor.includes(user.role)) return;
  if (await isCodeAsked(app, user.id)) return;
  const sentence = `The role ${user.role} needs a second factor. Set it up (assistant login --set-up-two-factor, or POST /api/auth/two-factor), then sign in.`;
  throw new AppError('second_factor_missing', sentence);
}

/** Refuses with `password_sign_in_off`. */
export async function requirePasswordSignIn(
  app: App,
  { organizationId }: Pick<User, 'organizationId'>,
): Promise<void> {
  if (await isPasswordSignInOn(app, organizationId)) return;
  const sentence = 'This organization signs in by its identity provider, not by password.';
  throw new AppError('password_sign_in_off', sentence);
}
