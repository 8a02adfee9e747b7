import { randomUUID } from 'node:crypto';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { AppError } from '../platform/errors.js';
import { findUserByEmail } from './accounts.repository.js';
import { signAccessToken } from './access-tokens.js';
import { insertApiToken } from './tokens.repository.js';

export interface MintedToken {
  token: string;
  name: string;
  email: string;
  expiresAt: string | null;
}

const dayMs = 86_400_000;

/**
 * Makes a long-lived, named, revocable bearer for a user of the actor's organization, as CI needs it. It has
 * that user's rights, and no more. Refuses with `not_found` an address that has no account there.
 */
export async function mintToken(
  app: App,
  actor: Actor,
  input: { email: string; name: string; days: number | undefined },
): Promise<MintedToken> {
  const { organizationId } = requirePermission(actor, 'administer');
  const user = await findUserByEmail(app, input.email);
  if (user?.organizationId !== organizationId || user.disabled) {
    throw new AppError(
      'not_found',
      `There is no active user ${input.email}. Add one with: assistant users add`,
    );
  }
  const name = input.name.trim();
  if (name === '') throw new AppError('invalid_request', 'The token needs a name.');
  const jti = randomUUID();
  const expiresAt = input.days === undefined ? null : timestamp(app.clock, input.days * dayMs);
  // Stored first: a token that was signed but not stored would be refused without a reason to be seen.
  await insertApiToken(app, { jti, userId: user.id, name, expiresAt });
  const seconds = input.days === undefined ? undefined : input.days * (dayMs / 1000);
  const token = await signAccessToken(app, { userId: user.id, jti }, seconds);
  return { token, name, email: user.email, expiresAt };
}
