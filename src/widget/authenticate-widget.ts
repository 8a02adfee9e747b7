import { randomUUID } from 'node:crypto';
import { authenticateUserToken, authenticateWidgetKey } from '../federation/authenticate-host.js';
import { verifyVisitorToken, visitorUnder } from '../federation/visitor-tokens.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';

/** Who uses a widget: a person whom the app's host vouches for, or a browser that nobody does. */
export type WidgetActor = Extract<Actor, { kind: 'end_user' | 'visitor' }>;

/** As a page shows them, each of them or none. An empty text is a credential that does not hold. */
export interface WidgetCredentials {
  apiKey: string | undefined;
  userToken: string | undefined;
  visitorToken: string | undefined;
}

/**
 * Who uses the widget of an app: an end user by a user token, with a key of the app or without; else a visitor by a
 * key, new unless a visitor token tells which. Whatever is shown must hold, and be of one app: refuses with
 * `unauthenticated` what is not, naming it. The caller checks the origin.
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
