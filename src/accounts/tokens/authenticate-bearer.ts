import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { verifyAccessToken, type AccessClaims } from './access-tokens.js';
import { findBearer, isUseDue, markApiTokenUsed, type Bearer } from './bearer.repository.js';

/**
 * Who a bearer token speaks for. The user is looked up each time: a disabled account, a changed role or password,
 * a revoked token and an ended session count at once. Refuses with `unauthenticated`; an invalid credential is
 * never nobody.
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
  const { organizationId, userId, role } = bearer;
  return { kind: 'user', organizationId, userId, role };
}

/** A session says by itself that it has ended: its time may be of a clock that was set since. */
function isFromBefore({ session, issuedAt }: AccessClaims, { validFrom }: Bearer): boolean {
  return session === undefined && issuedAt < validFrom;
}

/** A database that takes no writes just now must not keep anybody from reading. */
async function noteUse(app: App, token: NonNullable<Bearer['apiToken']>): Promise<void> {
  if (!isUseDue(app, token.lastUsedAt)) return;
  try {
    await markApiTokenUsed(app, token.id);
  } catch (error) {
    app.log.warn({ err: error, token: token.id }, 'the use of a token could not be recorded');
  }
}
