import type { Config } from '../platform/config/schema.js';
import { parseUrl } from '../platform/text/parse-url.js';
import type { Check } from './doctor.schema.js';

const name = 'proxy';

/** The facts of a browser’s request that show the proxies on its way. */
export interface SeenAddress {
  /** The host and port that the server was asked for. */
  host: string;
  /** The page of the backoffice that the request came from, as the browser has it in its address bar. */
  referrer: string;
  /** True with headers that only proxies add. */
  isForwarded: boolean;
}

/**
 * Checks that a proxy passes `Host` on, that it is trusted, and that server.public_url is the address of the browser.
 * Empty where a request tells nothing of it.
 */
export function examineProxy(
  { public_url: publicUrl, trust_proxy: trusted }: Config['server'],
  { host, referrer, isForwarded }: SeenAddress,
): Check[] {
  const checks: Check[] = [];
  const warn = (code: string, values: Record<string, string>, finding: string, remedy: string) =>
    checks.push({ name, status: 'warning', code, values, finding, remedy });
  const origin = parseUrl(referrer);
  const shown = origin?.host ?? host;
  if (shown !== host) {
    warn(
      'proxy_host',
      { shown, host },
      `the browser is at ${shown}, but the proxy asks the server for ${host}`,
      'Let it pass Host on. nginx: proxy_set_header Host $http_host;  Apache: ProxyPreserveHost On',
    );
  }
  if (isForwarded && trusted === 0) {
    warn(
      'proxy_untrusted',
      {},
      'a proxy passes requests on, and is not trusted: all visitors count as one address',
      'Set the number of proxies before the server: assistant config set server.trust_proxy 1',
    );
  }
  const own = publicUrl === null ? undefined : parseUrl(publicUrl);
  if (own === undefined || isOfMachine(shown)) return checks;
  const here = origin?.origin ?? `${own.protocol}//${shown}`;
  if (here !== own.origin) {
    warn(
      'public_url',
      { url: own.origin, here },
      `server.public_url is ${own.origin}, but this page was opened at ${here}: links and tags lead there`,
      `Where people use ${here}, set it: assistant config set server.public_url ${here}`,
    );
  }
  return checks;
}

/** An operator who sits at the machine, or comes through a tunnel, tells nothing of what others use. */
function isOfMachine(host: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/.test(host);
}
