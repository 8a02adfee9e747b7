import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { findEndUser, insertEndUser, updateEndUser, type EndUser } from './end-users.repository.js';
import { sessionClaim, signUserToken } from './user-tokens.js';

export interface UserTokenInput {
  /** The host's permanent id of the person. */
  externalId: string;
  /** Undefined keeps the stored address; null deletes it. */
  email?: string | null | undefined;
  displayName?: string | null | undefined;
  /** The host's id of the person's sign-in, if a link of accounts will need it. */
  session?: string | undefined;
  /** In seconds; default: the setting. */
  expiresIn?: number | undefined;
}

/**
 * Issues a user token for a person whom the app's host identifies, and creates or updates the end user. Errors:
 * `unauthenticated` for every caller except the host's backend.
 */
export async function issueUserToken(
  app: App,
  actor: Actor,
  input: UserTokenInput,
): Promise<{ token: string; expiresIn: number }> {
  if (actor.kind !== 'host_backend') {
    throw new AppError('unauthenticated', 'User tokens are issued only to the backend of a host.');
  }
  const { organizationId, appId, keyId } = actor;
  const expiresIn = input.expiresIn ?? app.config.widget.user_token_minutes * 60;
  const known = await findEndUser(app, appId, byHost(input.externalId));
  // An unchanged person costs no write, because hosts request a token with every page.
  const endUser = isUpToDate(known, input)
    ? known
    : await storeEndUser(app, { organizationId, appId }, input);
  const session = input.session === undefined ? undefined : sessionClaim(input.session);
  const claims = { endUserId: endUser.id, appId, keyId, session };
  const token = await signUserToken(app, claims, expiresIn);
  return { token, expiresIn };
}

/** Excludes people who signed in by the widget's form: no host identifies them. */
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
    // Read again under the lock: two requests at once create one end user.
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
