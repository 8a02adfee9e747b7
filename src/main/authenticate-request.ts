import { isIP } from 'node:net';
import type { Context } from 'koa';
import { authenticateBearer } from '../accounts/tokens/authenticate-bearer.js';
import { claimsAudience } from '../accounts/tokens/signed-tokens.js';
import {
  authenticateBackend,
  authenticateUserToken,
  authenticateWidgetKey,
} from '../federation/authenticate-host.js';
import {
  requireOrigin,
  requireOriginOwner,
  authenticateWidget,
  noteSighting,
} from '../widget/authenticate-widget.js';
import { newClaimsOfCall } from '../widget/cors.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { appOfOrigin, localHost } from '../tenancy/app-of-origin.js';
import { readRecently } from '../platform/db/recent-reads.js';
import { parseUrl } from '../platform/text/parse-url.js';
import type { Access } from '../platform/http/operation.js';

/**
 * Identifies the caller by a bearer token or a widget key; without either, the caller is anonymous. A host's backend
 * sends its key and secret. Refuses two credentials at once (except a user token with a key of its app) and an invalid
 * one, which must never pass for none. A page that sends a widget key must also be on the app's domains.
 */
export async function authenticateRequest(app: App, ctx: Context, access: Access): Promise<Actor> {
  // An empty header is an invalid credential, not a missing one.
  const { authorization, origin, 'x-widget-key': widgetKey } = ctx.req.headers;
  if (access === 'host_backend') {
    const secret = ctx.req.headers['x-widget-secret'];
    return authenticateBackend(app, { origin, key: textOf(widgetKey), secret: textOf(secret) });
  }
  if (access === 'widget') return authenticatePage(app, ctx);
  const byKey = widgetKey === undefined ? undefined : await authenticateKey(app, ctx, widgetKey);
  if (authorization === undefined) return byKey ?? { kind: 'anonymous' };
  const bearer = await authenticateToken(app, authorization);
  if (byKey === undefined) return bearer;
  if (bearer.kind !== 'end_user') {
    throw new AppError('unauthenticated', 'Send either Authorization or X-Widget-Key, not both.');
  }
  if (bearer.appId !== byKey.appId) {
    throw new AppError(
      'unauthenticated',
      'The user token and the widget key belong to different apps.',
    );
  }
  return bearer;
}

/**
 * Authenticates a widget key outside the widget, as in the page query. Programs send no origin. A page must be on a
 * domain of the key's app, or of an origin that may call the API (server.cors_origins).
 */
async function authenticateKey(app: App, ctx: Context, key: string | string[]) {
  const named = String(key);
  const actor = await readRecently(app, `key ${named}`, () => authenticateWidgetKey(app, named));
  const origin = ctx.headers.origin ?? foreignNameOf(app, ctx);
  if (origin !== undefined && !app.config.server.cors_origins.includes(origin)) {
    const owner = readRecently(app, `origin ${origin}`, () => appOfOrigin(app, origin));
    requireOriginOwner(await owner, actor.appId, origin);
  }
  return actor;
}

/**
 * True when a page of this server sends a GET. Browsers then send no origin, but this header, which no page can forge.
 */
function isOfOwnPage(ctx: Context): boolean {
  return /^(GET|HEAD)$/.test(ctx.method) && ctx.get('Sec-Fetch-Site') === 'same-origin';
}

/**
 * The origin of such a page, if its host name is not the server's own. The owner of any name can let it resolve to this
 * server (DNS rebinding), so that its pages share the server's origin.
 */
function foreignNameOf(app: App, ctx: Context): string | undefined {
  if (!isOfOwnPage(ctx)) return undefined;
  const { host, hostname } = ctx;
  const { public_url } = app.config.server;
  const own = public_url === null ? undefined : parseUrl(public_url)?.hostname;
  const isOwn =
    hostname === own || localHost.test(hostname) || isIP(hostname.replace(/[[\]]/g, '')) > 0;
  return isOwn ? undefined : `${ctx.protocol}://${host}`;
}

/** Identifies a widget's call: its page and its person. */
async function authenticatePage(app: App, ctx: Context): Promise<Actor> {
  const { authorization, origin, 'x-widget-key': key, 'x-visitor-token': visitor } = ctx.headers;
  const named = origin ?? foreignNameOf(app, ctx);
  const checked = named === undefined && isOfOwnPage(ctx) ? undefined : requireOrigin(named);
  const claims = newClaimsOfCall(app, ctx);
  // In parallel, because the first words of an answer wait for both.
  const owner = checked === undefined ? undefined : appOfOrigin(app, checked, claims);
  owner?.catch(() => undefined);
  const actor = await authenticateWidget(app, {
    apiKey: key === undefined ? undefined : String(key),
    userToken: authorization === undefined ? undefined : tokenIn(authorization),
    visitorToken: visitor === undefined ? undefined : String(visitor),
  });
  if (checked !== undefined) {
    requireOriginOwner(await owner, actor.appId, checked);
    noteSighting(app, textOf(key), checked);
  }
  return actor;
}

/** A token names its kind, and is then verified as exactly that kind, so that no kind passes for another. */
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

/** A header that is sent twice can't be compared. */
function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
