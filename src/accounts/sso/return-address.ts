import { AppError } from '../../platform/errors.js';
import { parseUrl } from '../../platform/text/parse-url.js';

const nowhere = 'http://own.invalid';

/**
 * Where a browser goes after its sign-in: a path of this server, or a program that listens on this person's own machine
 * (http, a loopback address, any port). Anywhere else would hand the code to whoever made the link: `invalid_request`.
 */
export function readReturnAddress(text: string): string {
  const own = text.startsWith('/') ? parseUrl(text, nowhere) : undefined;
  if (own?.origin === nowhere && own.hash === '' && !own.pathname.startsWith('//')) {
    return `${own.pathname}${own.search}`;
  }
  const url = parseUrl(text);
  const isLoopback = url?.hostname === '127.0.0.1' || url?.hostname === '[::1]';
  const isPlain = url !== undefined && url.username + url.password + url.hash === '';
  if (isPlain && isLoopback && url.protocol === 'http:') return url.href;
  const message = 'must be a path of this server, or an http address on 127.0.0.1 or [::1]';
  throw new AppError('invalid_request', `return_to: ${message}`, {
    problems: [{ path: 'return_to', message }],
  });
}

/** The return address with what came of the sign-in. */
export function withResult(returnTo: string, result: Record<string, string>): string {
  const isOwn = returnTo.startsWith('/');
  const url = new URL(returnTo, nowhere);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  return isOwn ? `${url.pathname}${url.search}` : url.href;
}
