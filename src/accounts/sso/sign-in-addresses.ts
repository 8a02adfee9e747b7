import type { Config } from '../../platform/config/schema.js';
import { AppError, refusedField } from '../../platform/errors.js';
import { parseUrl } from '../../platform/text/parse-url.js';

/**
 * The path to which a provider sends browsers back. Each provider has its own path, so that the answer of one is never
 * accepted for another (a mix-up attack, RFC 9700).
 */
export const callbackPath = '/api/auth/sso/callback/:id';

/** The address at which browsers reach this service, without a final slash; undefined when not configured. */
export function publicBase({ server }: Pick<Config, 'server'>): string | undefined {
  return server.public_url?.replace(/\/+$/, '');
}

/** The path prefix under which browsers reach this service; usually empty. */
export function publicPath(config: Pick<Config, 'server'>): string {
  const base = publicBase(config);
  return base === undefined ? '' : new URL(base).pathname.replace(/\/+$/, '');
}

/** The address to register at a provider. */
export function redirectUriAt(base: string, provider: { id: number }): string {
  return base + callbackPath.replace(':id', String(provider.id));
}

const nowhere = 'http://own.invalid';

/**
 * The pages of this server that take part in a sign-in, including their subpages. Other pages are not allowed: the code
 * would reach another sign-in's callback, or content that somebody else reads.
 */
const ownPages = ['/backoffice'];

/**
 * Validates the address to which a browser returns after its sign-in: one of our own pages (with the path prefix), or a
 * listener on the person's own machine (http, a loopback address, any port). Refuses others with `invalid_request`,
 * because they would pass the code to somebody else.
 */
export function readReturnAddress(text: string, basePath: string): string {
  const own = text.startsWith('/') ? parseUrl(text, nowhere) : undefined;
  if (own?.origin === nowhere && own.hash === '' && isOwnPage(own.pathname, basePath)) {
    return `${own.pathname}${own.search}`;
  }
  const url = parseUrl(text);
  const isPlain = url !== undefined && url.username + url.password + url.hash === '';
  if (isPlain && isOnThisMachine(url.href)) return url.href;
  const message = `must be ${ownPages.map((page) => basePath + page).join(', ')} or below it, or an http address on 127.0.0.1 or [::1]`;
  throw refusedField('return_to', message);
}

/** True when a return address leads to a program on the person's own machine. */
export function isOnThisMachine(returnTo: string): boolean {
  const url = parseUrl(returnTo);
  return url?.protocol === 'http:' && ['127.0.0.1', '[::1]'].includes(url.hostname);
}

export function withResult(returnTo: string, result: Record<string, string>): string {
  const isOwn = returnTo.startsWith('/');
  const url = new URL(returnTo, nowhere);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  return isOwn ? `${url.pathname}${url.search}` : url.href;
}

/** Adds a refusal to the return address. Other errors are thrown again. */
export function withRefusal(returnTo: string, error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  return withResult(returnTo, { error: error.code, error_description: error.message });
}

function isOwnPage(path: string, basePath: string): boolean {
  // A proxy may decode an encoded slash, drop the text after a semicolon, and resolve the dots.
  if (/%(2f|5c|2e|25|00)|;/i.test(path)) return false;
  return ownPages.some((page) => `${path}/`.startsWith(`${basePath}${page}/`));
}
