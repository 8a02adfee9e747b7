import type { Context } from 'koa';
import { authenticateBearer } from '../accounts/authenticate.js';
import { authenticateWidgetKey } from '../federation/authenticate-widget-key.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';

/**
 * Who calls: a bearer token, a widget key, or, with neither, nobody. Two credentials at once are refused,
 * as is one that does not hold: it must never pass for none.
 */
export async function authenticate(app: App, ctx: Context): Promise<Actor> {
  // An empty header is a credential that does not hold, not the absence of one.
  const { authorization, 'x-widget-key': widgetKey } = ctx.req.headers;
  if (authorization !== undefined && widgetKey !== undefined) {
    throw new AppError('unauthenticated', 'Send either Authorization or X-Widget-Key, not both.');
  }
  if (widgetKey !== undefined) return authenticateWidgetKey(app, String(widgetKey));
  if (authorization === undefined) return { kind: 'anonymous' };
  const token = /^Bearer +([^\s]+)$/i.exec(authorization)?.[1];
  if (token === undefined) {
    throw new AppError('unauthenticated', 'Send the token as: Authorization: Bearer <token>.');
  }
  return authenticateBearer(app, token);
}
