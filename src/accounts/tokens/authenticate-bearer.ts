import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { verifyAccessToken, type AccessClaims } from './access-tokens.js';
import {
  findBearer,
  isUseDue,
  markApiTokenUsed,
  noteSeen,
  type Bearer,
} from './bearer.repository.js';

/**
 * Identifies the caller of a bearer token. The user is read on each call, so that a disabled account, a changed role or
 * password, a revoked token or an ended session takes effect at once. Refuses an invalid token with `unauthenticated`,
 * never as anonymous.
 */
export async function authenticateBearer(app: App, token: string): Promise<Actor> {
  const claims = await verifyAccessToken(app, token);
  const bearer = claims === undefined ? undefined : await findBearer(app, claims);
  if (claims === undefined || bearer === undefined || isFromBefore(claims, bearer)) {
    throw new AppError(
      'unauthenticated',
      'The bearer token is invalid, expired or revoked. Sign in again.',
    );
  }
  if (bearer.apiToken !== undefined) await noteUse(app, bearer.apiToken);
  const { organizationId, userId, role, lastSeenAt } = bearer;
  await noteSeen(app, { id: userId, lastSeenAt });
  return { kind: 'user', organizationId, userId, role };
}

/** A session's end is stored, so its tokens need no comparison of times: the clock may have been changed. */
function isFromBefore({ session, issuedAt }: AccessClaims, { validFrom }: Bearer): boolean {
  return session === undefined && issuedAt < validFrom;
}

/** Reading must work while the database accepts no writes. */
async function noteUse(app: App, token: NonNullable<Bearer['apiToken']>): Promise<void> {
  if (!isUseDue(app, token.lastUsedAt)) return;
  try {
    await markApiTokenUsed(app, token.id);
  } catch (error) {
    app.log.warn({ err: error, token: token.id }, 'the use of a token could not be recorded');
  }
}
