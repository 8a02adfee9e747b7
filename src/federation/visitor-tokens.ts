import { signToken, verifyToken } from '../accounts/tokens/signed-tokens.js';
import type { WidgetKeyKind } from '../platform/actor.js';
import type { App } from '../platform/app.js';

/** Visitor tokens are only for the widget of one app. */
const audience = 'assistant:widget-visitor';

/** An anonymous browser, by a random id that no other visitor can guess. */
export interface VisitorClaims {
  visitorId: string;
  appId: number;
}

/** Signs a visitor token and returns its lifetime in seconds (widget.visitor_token_days). */
export async function signVisitorToken(
  app: App,
  { visitorId, appId }: VisitorClaims,
): Promise<{ token: string; expiresIn: number }> {
  const expiresIn = app.config.widget.visitor_token_days * 86_400;
  const claims = { app: appId };
  const content = { audience, subject: visitorId, claims, seconds: expiresIn } as const;
  return { token: await signToken(app, content), expiresIn };
}

/** The claims of a visitor token with valid signature, issuer, audience and times; else undefined. */
export async function verifyVisitorToken(
  app: App,
  token: string,
): Promise<VisitorClaims | undefined> {
  const payload = await verifyToken(app, token, { audience, claims: ['exp', 'app'] });
  const { sub: visitorId, app: appId } = payload ?? {};
  const isWhole = typeof visitorId === 'string' && typeof appId === 'number';
  return isWhole ? { visitorId, appId } : undefined;
}

/** RFC 9562: version 4 is random, 8 is custom. */
const versions: Record<WidgetKeyKind, string> = { public: '4', authenticated: '8' };

/**
 * One browser is two visitors: a public page must neither show nor continue a conversation from pages behind a sign-in.
 * Both use the browser's one token; the kind of key decides which visitor it means. Their ids differ only in the
 * version.
 */
export function visitorUnder(keyKind: WidgetKeyKind, visitorId: string): string {
  return visitorId.slice(0, 14) + versions[keyKind] + visitorId.slice(15);
}

/** Both visitors of a browser, the given one first. */
export function visitorsOfBrowser(visitorId: string): string[] {
  const kinds = Object.keys(versions) as WidgetKeyKind[];
  return [...new Set([visitorId, ...kinds.map((kind) => visitorUnder(kind, visitorId))])];
}
