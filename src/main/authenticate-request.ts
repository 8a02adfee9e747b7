import type { Context } from 'koa';
import { authenticateBearer } from '../accounts/tokens/authenticate-bearer.js';
import { claimsAudience } from '../accounts/tokens/signed-tokens.js';
import {
  authenticateBackend,
  authenticateUserToken,
  authenticateWidgetKey,
} from '../federation/authenticate-host.js';
import { authenticateWidget } from '../widget/authenticate-widget.js';
import { requireOrigin, requireOriginOwner } from '../widget/check-origin.js';
import { newClaimsOfCall } from '../widget/cors.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { appOfOrigin } from '../tenancy/app-of-origin.js';
import type { Access } from '../platform/http/operation.js';

/**
 * Who calls: a bearer token, a widget key, or, with neither, nobody; for a host's backend, its key and secret. Two
 * credentials at once are refused, save a user token with a key of its app, as is one that does not hold: it must
 * never pass for none. A widget's page must be of the app's domains as well.
 */
export async function authenticateRequest(app: App, ctx: Context, access: Access): Promise<Actor> {
  // An empty header is a credential that does not hold, not the absence of one.
  const { authorization, origin, 'x-widget-key': widgetKey } = ctx.req.headers;
  if (access === 'host_backend') {
    const secret = ctx.req.headers['x-widget-secret'];
    return authenticateBackend(app, { origin, key: textOf(widgetKey), secret: textOf(secret) });
  }
  if (access === 'widget') return authenticatePage(app, ctx);
  const byKey =
    widgetKey === undefined ? undefined : await authenticateWidgetKey(app, String(widgetKey));
  if (authorization === undefined) return byKey ?? { kind: 'anonymous' };
  const bearer = await authenticateToken(app, authorization);
  if (byKey === undefined) return bearer;
  if (bearer.kind !== 'end_user') {
    throw new AppError('unauthenticated', 'Send either Authorization or X-Widget-Key, not both.');
  }
  if (bearer.appId !== byKey.appId) {
    throw new AppError('unauthenticated', 'The user token and the widget key are of two apps.');
  }
  return bearer;
}

/** A widget's call: the page that it comes from, and who uses it there. */
async function authenticatePage(app: App, ctx: Context): Promise<Actor> {
  const { authorization, origin, 'x-widget-key': key, 'x-visitor-token': visitor } = ctx.headers;
  // Browsers name no origin in a GET of a page's own server, and mark it so that no other page can.
  const isOwnPage = /^(GET|HEAD)$/.test(ctx.method) && ctx.get('Sec-Fetch-Site') === 'same-origin';
  const checked = origin === undefined && isOwnPage ? undefined : requireOrigin(origin);
  const claims = newClaimsOfCall(app, ctx);
  // Both at once: the first words of an answer wait for them.
  const owner = checked === undefined ? undefined : appOfOrigin(app, checked, claims);
  owner?.catch(() => undefined);
  const actor = await authenticateWidget(app, {
    apiKey: key === undefined ? undefined : String(key),
    userToken: authorization === undefined ? undefined : tokenIn(authorization),
    visitorToken: visitor === undefined ? undefined : String(visitor),
  });
  if (checked !== undefined) requireOriginOwner(await owner, actor.appId, checked);
  return actor;
}

/** A token says what it is; what it says is then checked as just that, so that no kind passes for another. */
async function authenticateToken(app: App, authorization: string): Promise<Actor> {
  const token = tokenIn(authorization);
  return (await claimsAudience(token, 'assistant:widget-user'))
    ? authenticateUserToken(app, token)
    : authenticateBearer(app, token);
}

function tokenIn(authorization: string): string {
  const token = /^Bearer +([^\s]+)$/i.exec(authorization)?.[1];
  if (token !== undefined) return token;
  throw new AppError('unauthenticated', 'Send the token as: Authorization: Bearer <token>.');
}

/** A header that is sent twice is none that could be compared. */
function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
