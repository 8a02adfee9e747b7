import type { Context } from 'koa';
import type { Config } from '../../platform/config/schema.js';
import { publicBase, publicPath } from './redirect-address.js';
import { newSecret } from '../../platform/random-secret.js';
import { patienceMs } from './start-sign-in.js';

const cookie = 'assistant_sign_in';

/**
 * What the browser of a request showed of an earlier start, so that sign-ins in two windows don't end each other;
 * undefined where it showed nothing. It opens nothing: it only proves that a sign-in began in this browser.
 */
export function shownSecret(ctx: Context): string | undefined {
  const value = ctx.cookies.get(cookie, { signed: false });
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
}

/** A secret for the browser of a request, and the header that has it kept until its sign-in is over. */
export function keepSecret(
  { config }: { config: Pick<Config, 'server'> },
  ctx: Context,
): { secret: string; header: string } {
  const secret = shownSecret(ctx) ?? newSecret();
  const isSafe = publicBase(config)?.startsWith('https:') ?? ctx.secure;
  const path = `${publicPath(config)}/api/auth/sso`;
  const header = `${cookie}=${secret}; Path=${path}; Max-Age=${patienceMs / 1000}; HttpOnly; SameSite=Lax`;
  return { secret, header: isSafe ? `${header}; Secure` : header };
}
