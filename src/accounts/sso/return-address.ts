import { AppError, refusedField } from '../../platform/errors.js';
import { parseUrl } from '../../platform/text/parse-url.js';

const nowhere = 'http://own.invalid';

/**
 * The pages of this server that take part in a sign-in, with what is below them. No others: the code would go to the
 * callback of another sign-in, or into what somebody else reads.
 */
const ownPages = ['/backoffice'];

/**
 * Where a browser goes after its sign-in: one of our own pages, below the path that browsers reach the server under, or
 * a program that listens on this person's own machine (http, a loopback address, any port). Anywhere else would hand the
 * code to somebody else: `invalid_request`.
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

/** Whether a return address leads to a program on the person's own machine. */
export function isOnThisMachine(returnTo: string): boolean {
  const url = parseUrl(returnTo);
  return url?.protocol === 'http:' && ['127.0.0.1', '[::1]'].includes(url.hostname);
}

/** The return address with what came of the sign-in. */
export function withResult(returnTo: string, result: Record<string, string>): string {
  const isOwn = returnTo.startsWith('/');
  const url = new URL(returnTo, nowhere);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  return isOwn ? `${url.pathname}${url.search}` : url.href;
}

/** The return address with a refusal; what is none is thrown on. */
export function withRefusal(returnTo: string, error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  return withResult(returnTo, { error: error.code, error_description: error.message });
}

function isOwnPage(path: string, basePath: string): boolean {
  // A proxy may read an encoded slash as one, or leave out what is behind a semicolon, and follow the dots.
  if (/%(2f|5c|2e|25|00)|;/i.test(path)) return false;
  return ownPages.some((page) => `${path}/`.startsWith(`${basePath}${page}/`));
}
