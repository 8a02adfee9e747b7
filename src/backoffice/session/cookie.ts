import type { Context } from 'koa';
import { publicBase } from '../../accounts/sso/sign-in-addresses.js';
import type { Config } from '../../platform/config/schema.js';

/**
 * The cookies of the backoffice. Over HTTPS their names begin with `__Host-`: browsers then take them from this host
 * alone, and send them over HTTPS alone. Over plain HTTP browsers refuse such names.
 */
export interface Cookie {
  name: 'assistant' | 'assistant_provider';
  /** Seconds; 0 ends the cookie. */
  maxAge: number;
}

/** A cookie of this many characters of base64url is a secret of ours; everything else is ignored. */
const secret = /^[\w-]{43,128}$/;

export function readCookie(
  { config }: { config: Pick<Config, 'server'> },
  ctx: Context,
  name: Cookie['name'],
): string | undefined {
  const value = ctx.cookies.get(nameOf(config, ctx, name), { signed: false });
  return value !== undefined && secret.test(value) ? value : undefined;
}

export function setCookie(
  { config }: { config: Pick<Config, 'server'> },
  ctx: Context,
  { name, maxAge }: Cookie,
  value: string,
): void {
  const secure = isSafe(config, ctx) ? '; Secure' : '';
  const whole = `${nameOf(config, ctx, name)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`;
  ctx.append('Set-Cookie', whole + secure);
}

function nameOf(config: Pick<Config, 'server'>, ctx: Context, name: Cookie['name']): string {
  return isSafe(config, ctx) ? `__Host-${name}` : name;
}

/** True when browsers reach this server over HTTPS. */
function isSafe(config: Pick<Config, 'server'>, ctx: Context): boolean {
  return publicBase({ server: config.server })?.startsWith('https:') ?? ctx.secure;
}
