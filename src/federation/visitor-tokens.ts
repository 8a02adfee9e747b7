import { signToken, verifyToken } from '../accounts/signed-tokens.js';
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
