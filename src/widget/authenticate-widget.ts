import { randomUUID } from 'node:crypto';
import { authenticateUserToken, authenticateWidgetKey } from '../federation/authenticate-host.js';
import { verifyVisitorToken, visitorUnder } from '../federation/visitor-tokens.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { appOfOrigin, hostOfOrigin } from '../tenancy/app-of-origin.js';

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
    throw new AppError(
      'unauthenticated',
      'The visitor token is invalid or expired. Send the request without it.',
    );
  }
  const given = [key, endUser, visitor].flatMap((one) => (one === undefined ? [] : [one.appId]));
  if (new Set(given).size > 1) {
    throw new AppError(
      'unauthenticated',
      'The credentials belong to different apps: send those of one app.',
    );
  }
  if (endUser !== undefined) return endUser;
  if (key === undefined) {
    throw new AppError('unauthenticated', 'Send a widget key, or the user token of an end user.');
  }
  const { organizationId, appId, keyKind } = key;
  const visitorId = visitorUnder(keyKind, visitor?.visitorId ?? randomUUID());
  return { kind: 'visitor', organizationId, appId, keyKind, visitorId };
}

/**
 * Accepts a widget call only from a page on a domain that is registered for the app. This keeps other sites from using
 * a key, which is public in the HTML. Errors: `origin_required` without an origin; `origin_not_allowed`.
 */
export async function checkOrigin(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  origin: string | undefined,
  appId: number,
): Promise<void> {
  requireOriginOwner(await appOfOrigin(app, requireOrigin(origin)), appId, origin);
}

/** As checkOrigin, for an origin with a known owner (appOfOrigin). Errors: `origin_not_allowed`. */
export function requireOriginOwner(
  owner: number | 'any' | undefined,
  appId: number,
  origin: string | undefined,
): void {
  if (owner !== 'any' && owner !== appId) throw originNotAllowed(origin);
}

/** Remembers that a page has used a key, for admins who wonder whether their site shows the widget. */
export function noteSighting(app: App, key: string | undefined, origin: string): void {
  const host = hostOfOrigin(origin);
  if (key !== undefined && host !== undefined) app.keySightings.note(key, host);
}

/** The origin of a call. Errors: `origin_required` without one. */
export function requireOrigin(origin: string | undefined): string {
  if (origin !== undefined && origin !== '') return origin;
  throw new AppError(
    'origin_required',
    'The request has no Origin header, which every browser sends. Call the widget from a page of the app.',
  );
}

export function originNotAllowed(origin: string | undefined): AppError {
  const sentence =
    `The origin ${JSON.stringify((origin ?? '').slice(0, 200))} is not registered for this app: have an admin add ` +
    'its domain (for localhost: the setting widget.allow_localhost).';
  return new AppError('origin_not_allowed', sentence);
}
