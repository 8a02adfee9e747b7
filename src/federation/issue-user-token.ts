import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { findEndUser, insertEndUser, updateEndUser, type EndUser } from './end-users.repository.js';
import { sessionClaim, signUserToken } from './user-tokens.js';

export interface UserTokenInput {
  /** The host's stable id of the person. */
  externalId: string;
  /** Undefined keeps what is known, null forgets it. */
  email?: string | null | undefined;
  displayName?: string | null | undefined;
  /** The host's sign-in of the person, where a link of accounts shall need it. */
  session?: string | undefined;
  /** Seconds; the setting when undefined. */
  expiresIn?: number | undefined;
}

/**
 * Issues a user token for a person whom the app's host vouches for, and makes or updates the end user. Refuses with
 * `unauthenticated` every caller but the host's backend.
 */
export async function issueUserToken(
  app: App,
  actor: Actor,
  input: UserTokenInput,
): Promise<{ token: string; expiresIn: number }> {
  if (actor.kind !== 'host_backend') {
    throw new AppError('unauthenticated', 'User tokens are issued to the backend of a host alone.');
  }
  const { organizationId, appId, keyId } = actor;
  const expiresIn = input.expiresIn ?? app.config.widget.user_token_minutes * 60;
  const known = await findEndUser(app, appId, byHost(input.externalId));
  // Who is known as they are costs no write: hosts ask for a token with each page that they serve.
  const endUser = isUpToDate(known, input)
    ? known
    : await storeEndUser(app, { organizationId, appId }, input);
  const session = input.session === undefined ? undefined : sessionClaim(input.session);
  const claims = { endUserId: endUser.id, appId, keyId, session };
  const token = await signUserToken(app, claims, expiresIn);
  return { token, expiresIn };
}

/** Never who has signed in by themselves: for them no host vouches. */
function byHost(externalId: string) {
  return { external_id: externalId, user_id: null } as const;
}

function isUpToDate(known: EndUser | undefined, input: UserTokenInput): known is EndUser {
  if (known === undefined) return false;
  const { email = known.email, displayName = known.displayName } = input;
  return email === known.email && displayName === known.displayName;
}

async function storeEndUser(
  app: App,
  owner: { organizationId: number; appId: number },
  { externalId, email, displayName }: UserTokenInput,
): Promise<EndUser> {
  return inTransaction(app, async (app) => {
    // Asked again under the lock: two requests at once make one end user.
    const known = await findEndUser(app, owner.appId, byHost(externalId));
    const fields = {
      email: email === undefined ? (known?.email ?? null) : email,
      displayName: displayName === undefined ? (known?.displayName ?? null) : displayName,
    };
    if (known === undefined) {
      return insertEndUser(app, { ...owner, externalId, ...fields, userId: null });
    }
    await updateEndUser(app, known.id, fields);
    return { ...known, ...fields };
  });
}
