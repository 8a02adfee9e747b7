import type { FetchedToken, TokenProblem } from '../messages.js';

export interface FetchDetails {
  fetch?: typeof fetch;
  /** The time limit of the whole answer, in milliseconds. */
  patience?: number;
}

const mostBytes = 16 * 1024;
const jwt = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * The complete address of the page's token endpoint. It must be on the page's own origin; otherwise no request is made.
 * A page without an origin (a sandbox, a file) has none.
 */
export function endpointOf(
  given: string,
  page: string,
): { url: string } | { problem: TokenProblem } {
  let url: URL;
  let here: URL;
  try {
    here = new URL(page);
    url = new URL(given, here);
  } catch {
    return { problem: 'bad_endpoint' };
  }
  if (!/^https?:$/.test(here.protocol) || !/^https?:$/.test(url.protocol)) {
    return { problem: 'bad_endpoint' };
  }
  if (url.origin !== here.origin) return { problem: 'cross_origin' };
  // A request can't contain a user name and password in its address.
  if (url.username !== '' || url.password !== '') return { problem: 'bad_endpoint' };
  url.hash = '';
  return { url: url.href };
}

/**
 * Requests the signed-in person's token from a host, with the host's own cookies. Follows no redirect, reads at most 16
 * KB, and accepts only a JSON document with a token.
 */
export async function fetchToken(
  endpoint: string,
  page: string,
  { fetch: ask = fetch, patience = 10_000 }: FetchDetails = {},
): Promise<FetchedToken> {
  const resolved = endpointOf(endpoint, page);
  if ('problem' in resolved) return resolved;
  const signal = AbortSignal.timeout(patience);
  try {
    const response = await ask(resolved.url, {
      credentials: 'include',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      // Not followed, but distinguished from an unreachable site.
      redirect: 'manual',
      headers: { Accept: 'application/json' },
      signal,
    });
    const problem = problemOf(response);
    if (problem !== undefined) {
      void response.body?.cancel().catch(() => undefined);
      return { problem };
    }
    const text = await readBounded(response);
    return text === undefined ? { problem: 'too_large' } : tokenIn(text);
  } catch {
    return { problem: signal.aborted ? 'timeout' : 'unreachable' };
  }
}

function problemOf(response: Response): TokenProblem | undefined {
  const { type, status, redirected, headers } = response;
  const isRedirect = type === 'opaqueredirect' || redirected || (status >= 300 && status < 400);
  if (isRedirect) return 'redirect';
  if (status === 401 || status === 403) return 'signed_out';
  if (status !== 200) return 'bad_status';
  const mime = (headers.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(mime)) return 'not_json';
  return Number(headers.get('Content-Length')) > mostBytes ? 'too_large' : undefined;
}

/** The text of a response; undefined when it is too long. */
async function readBounded(response: Response): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > mostBytes) {
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function tokenIn(text: string): FetchedToken {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return { problem: 'bad_json' };
  }
  const token =
    typeof document === 'object' && document !== null && 'token' in document
      ? document.token
      : undefined;
  return typeof token === 'string' && jwt.test(token) ? { token } : { problem: 'no_token' };
}
