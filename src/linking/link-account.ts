import { findUserOf } from '../accounts/users/accounts.repository.js';
import { recordChange } from '../audit/record-change.js';
import {
  type AccountLink,
  type DescribedLink,
  findAccountLink,
  hasLinked,
  insertAccountLink,
  storeLinkToken,
} from '../federation/account-links.repository.js';
import { recordedLink } from '../federation/federation.schema.js';
import { endUsers, type EndUser } from '../federation/end-users.repository.js';
import { findOwnKey, getAccountLink, requireAccount } from '../federation/read-links.js';
import { sessionClaim, verifyUserToken, type VerifiedClaims } from '../federation/user-tokens.js';
import { isKeyActive } from '../federation/widget-keys.repository.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { isOriginOf } from '../tenancy/app-of-origin.js';
import { findLastLanguageOf } from '../conversations/store/messages.repository.js';
import { fillMail } from '../notifications/send-mail.js';
import { notify } from '../notifications/notify.js';
import { timestamp } from '../platform/clock.js';
import { findApp } from '../tenancy/sites.repository.js';

/**
 * Links the caller's own account with the person whom an app's host identifies by a user token. `made` is false when
 * they were already linked. Only the token says who the person is, and an existing link is never moved. The service
 * notifies the person of the link, because the token may be stolen. Errors:
 * - `not_found`: the key is not an active key of the actor's organization.
 * - `unprocessable`: the token is invalid, belongs to another app or to another sign-in than `session`, or names a
 *   person who signed in by the widget's form or has linked an account before.
 * - `unprocessable`: the origin's pages do not belong to the key's app. Another site may have copied the key, together
 *   with somebody else's token.
 * - `already_linked`: either side is linked with another.
 */
export async function linkAccount(
  app: App,
  actor: Actor,
  input: { widgetKey: string; token: string; origin: string; session?: string | undefined },
): Promise<{ link: DescribedLink; made: boolean }> {
  const person = requireAccount(actor);
  const { organizationId, userId } = person;
  const key = await findOwnKey(app, person, input.widgetKey);
  if (!(await isOriginOf(app, input.origin, key.appId))) {
    throw unfit('origin', 'Pages of this origin do not belong to the app of the widget key.');
  }
  const claims = await verifyHostToken(app, key.appId, input.token);
  const session = input.session === undefined ? undefined : sessionClaim(input.session);
  if (claims.session !== undefined && claims.session !== session) {
    const sentence =
      'The token was issued in another sign-in. Load the page again, and link again.';
    throw unfit('session', sentence);
  }
  const linked = await inTransaction(app, async (app) => {
    // Read again under the lock, because both may have been deleted meanwhile.
    const endUser = await endUsers.find(app, { organizationId, id: claims.endUserId });
    if (endUser?.appId !== key.appId) throw invalidToken();
    if ((await findUserOf(app, organizationId, userId))?.disabled !== false) {
      throw new AppError('unauthenticated', 'This account has ended. Sign in again.');
    }
    const present = await findAccountLink(app, { end_user_id: endUser.id });
    const id = present?.id ?? (await bind(app, person, endUser, claims));
    if (present !== undefined && present.userId !== userId) throw linkedElsewhere();
    return { link: await getAccountLink(app, actor, id), made: present === undefined };
  });
  // A mail may be waiting.
  if (linked.made) app.jobs.wake();
  return linked;
}

async function bind(
  app: App,
  actor: Extract<Actor, { kind: 'user' }>,
  endUser: EndUser,
  { jti, expiresAt }: VerifiedClaims,
): Promise<AccountLink['id']> {
  const { organizationId, userId } = actor;
  const { id: endUserId, appId, externalId } = endUser;
  if (endUser.userId !== null) {
    throw unfit(
      'token',
      'The token is of the widget’s own sign-in: it already belongs to an account.',
    );
  }
  const other = await findAccountLink(app, { app_id: appId, user_id: userId });
  if (other !== undefined) {
    const sentence =
      'Your account is linked to another identity on this site. End that link first, if this one is yours too.';
    throw new AppError('already_linked', sentence);
  }
  if (await hasLinked(app, jti)) {
    const sentence = 'The token has linked an account before. Load the page again for a new one.';
    throw unfit('token', sentence);
  }
  const id = await insertAccountLink(app, { organizationId, appId, endUserId, userId });
  await tellOfLink(app, id, { endUser, userId });
  await storeLinkToken(app, { jti, expiresAt: new Date(expiresAt).toISOString() });
  const after = recordedLink({ appId, endUserId, userId, externalId });
  const subject = `account_link:${id}`;
  await recordChange(app, actor, { organizationId, action: 'account_link.create', subject, after });
  return id;
}

async function verifyHostToken(app: App, appId: number, token: string): Promise<VerifiedClaims> {
  const claims = await verifyUserToken(app, token);
  if (claims === undefined) throw invalidToken();
  if (claims.appId !== appId)
    throw unfit('token', 'The token and the widget key belong to different apps.');
  if (await isKeyActive(app, claims.keyId, appId)) return claims;
  throw unfit('token', 'The widget key that the token was issued with was revoked.');
}

function invalidToken(): AppError {
  return unfit(
    'token',
    'The token is no user token of this service, was altered, or has expired. Load the page again for a new one.',
  );
}

/** The body is wrong, not the caller's credential, so the caller need not sign in again. */
function unfit(path: 'token' | 'origin' | 'session', message: string): AppError {
  return new AppError('unprocessable', message, { problems: [{ path, message }] });
}

function linkedElsewhere(): AppError {
  const sentence =
    'This identity is linked to another account. The holder of that account, or an admin, can end the link.';
  return new AppError('already_linked', sentence);
}

/**
 * Notifies the person of a site that an account was linked with them, in the widget and by the site's mail, so that
 * they detect a stolen token. In the language of their last question, else in English.
 */
async function tellOfLink(
  app: App,
  linkId: number,
  { endUser, userId }: { endUser: EndUser; userId: number },
): Promise<void> {
  const { id: endUserId, organizationId, appId, email } = endUser;
  const account = await findUserOf(app, organizationId, userId);
  const language = (await findLastLanguageOf(app, endUserId)) ?? 'en';
  const linkedAt = timestamp(app.clock);
  const { subject, text } = fillMail('account-linked', language, {
    app: (await findApp(app, appId))?.name ?? '',
    account: shortAddress(account?.email ?? ''),
    time: `${linkedAt.slice(0, 16).replace('T', ' ')} UTC`,
  });
  await notify(app, {
    organizationId,
    appId,
    conversationId: null,
    email,
    recipient: { userId: null, endUserId, visitorId: null },
    dedupeKey: `account_link:${linkId}`,
    kind: 'account_linked',
    request: {
      requestId: null,
      question: subject,
      response: text.trim(),
      url: null,
      entryId: null,
      language,
      resolvedAt: linkedAt,
    },
  });
}

/** Enough of an address to recognize one's own. The people of the site need not learn more. */
function shortAddress(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}…${email.slice(at)}`;
}
