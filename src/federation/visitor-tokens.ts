import { signToken, verifyToken } from '../accounts/tokens/signed-tokens.js';
import type { WidgetKeyKind } from '../platform/actor.js';
import type { App } from '../platform/app.js';

/** Visitor tokens are for the widget of one app: they open nothing else, and nothing else opens what they do. */
const audience = 'assistant:widget-visitor';

/** A browser that nobody vouches for, by an id of its own that no other visitor can guess or claim. */
export interface VisitorClaims {
  visitorId: string;
  appId: number;
}

/** Signs a visitor token, and tells for how many seconds it holds (widget.visitor_token_days). */
export async function signVisitorToken(
  app: App,
  { visitorId, appId }: VisitorClaims,
): Promise<{ token: string; expiresIn: number }> {
  const expiresIn = app.config.widget.visitor_token_days * 86_400;
  const claims = { app: appId };
  const content = { audience, subject: visitorId, claims, seconds: expiresIn } as const;
  return { token: await signToken(app, content), expiresIn };
}

/** What a visitor token says, when its signature, issuer, audience and times hold; else undefined. */
export async function verifyVisitorToken(
  app: App,
  token: string,
): Promise<VisitorClaims | undefined> {
  const payload = await verifyToken(app, token, { audience, claims: ['exp', 'app'] });
  const { sub: visitorId, app: appId } = payload ?? {};
  const isWhole = typeof visitorId === 'string' && typeof appId === 'number';
  return isWhole ? { visitorId, appId } : undefined;
}

/** RFC 9562: 4 is random, 8 is of one's own making. */
const versions: Record<WidgetKeyKind, string> = { public: '4', authenticated: '8' };

/**
 * One browser is two visitors: what it was told on pages behind a sign-in is nothing that a public page of the same
 * app may show, or go on with. Its one token comes back to both, to each by the kind of key that is shown beside it:
 * their ids differ in the version alone.
 */
export function visitorUnder(keyKind: WidgetKeyKind, visitorId: string): string {
  return visitorId.slice(0, 14) + versions[keyKind] + visitorId.slice(15);
}

/** Both visitors that the browser of one of them is, that one first. */
export function visitorsOfBrowser(visitorId: string): string[] {
  const kinds = Object.keys(versions) as WidgetKeyKind[];
  return [...new Set([visitorId, ...kinds.map((kind) => visitorUnder(kind, visitorId))])];
}
