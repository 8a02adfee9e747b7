import { randomUUID } from 'node:crypto';
import { authenticateUserToken, authenticateWidgetKey } from '../federation/authenticate-host.js';
import { verifyVisitorToken, visitorUnder } from '../federation/visitor-tokens.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';

/** A person who uses a widget: an end user whom the app's host identifies, or an anonymous browser. */
export type WidgetActor = Extract<Actor, { kind: 'end_user' | 'visitor' }>;

/** The credentials that a page sends; each is optional. An empty text is an invalid credential. */
export interface WidgetCredentials {
  apiKey: string | undefined;
  userToken: string | undefined;
  visitorToken: string | undefined;
}

/**
 * Identifies the person who uses an app's widget. A user token, with or without a key of the app, means an end user. A
 * key alone means a visitor: a new one, unless a visitor token is given. Every credential must be valid and of the same
 * app: refuses with `unauthenticated` and names the invalid one. The caller checks the origin.
 */
export async function authenticateWidget(
  app: App,
  { apiKey, userToken, visitorToken }: WidgetCredentials,
): Promise<WidgetActor> {
  const [key, endUser, visitor] = await Promise.all([
    apiKey === undefined ? undefined : authenticateWidgetKey(app, apiKey),
    userToken === undefined ? undefined : authenticateUserToken(app, userToken),
    visitorToken === undefined ? undefined : verifyVisitorToken(app, visitorToken),
  ]);
  if (visitorToken !== undefined && visitor === undefined) {
    throw new AppError('unauthenticated', 'The visitor token is invalid or expired: drop it.');
  }
  const given = [key, endUser, visitor].flatMap((one) => (one === undefined ? [] : [one.appId]));
  if (new Set(given).size > 1) {
    throw new AppError('unauthenticated', 'The credentials are of two apps: send those of one.');
  }
  if (endUser !== undefined) return endUser;
  if (key === undefined) {
    throw new AppError('unauthenticated', 'Send a widget key, or the user token of an end user.');
  }
  const { organizationId, appId, keyKind } = key;
  const visitorId = visitorUnder(keyKind, visitor?.visitorId ?? randomUUID());
  return { kind: 'visitor', organizationId, appId, keyKind, visitorId };
}
