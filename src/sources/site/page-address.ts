import { decoded, parseUrl } from '../../platform/text/parse-url.js';

/** In characters. Longer addresses are made by programs, and each rule of robots.txt is matched with them. */
const longest = 1000;

/** Parameters that say where a reader came from, not what the page shows. */
const tracking =
  /^(utm_.*|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|mkt_tok|_hs(enc|mi)|_gl|_ga|phpsessid|jsessionid)$/i;

/**
 * The address of a page as it is asked for: http(s), without fragment, user, tracking parameters, session numbers and
 * the name of an index file. Undefined for what is no such address.
 */
export function pageAddress(written: string, base?: URL): URL | undefined {
  const text = written.trim();
  if (text.length > longest) return undefined;
  const url = parseUrl(text, base?.href);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  // Each assignment writes the address anew, and pages have thousands of links.
  if (url.hash !== '' || url.href.endsWith('#')) url.hash = '';
  if (url.username !== '' || url.password !== '') {
    url.username = '';
    url.password = '';
  }
  const { pathname } = url;
  const path = pathname
    .replace(/;jsessionid=[^/;]*/gi, '')
    .replace(/\/{2,}/g, '/')
    .replace(/\/index\.(html?|php|aspx?)$/i, '/');
  if (path !== pathname) url.pathname = path;
  if (url.search !== '') {
    // Written anew only if needed: a server may read `?a` and `?a=` as two things.
    const names = [...url.searchParams.keys()];
    for (const name of names) if (tracking.test(name)) url.searchParams.delete(name);
  } else if (url.href.endsWith('?')) url.search = '';
  return url.href.length > longest ? undefined : url;
}

/** Equal for addresses that lead to one page: with and without a final slash, whatever the order of the parameters. */
export function pageKey(url: URL): string {
  const { pathname, search } = url;
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname;
  if (search === '') return path;
  const sorted = new URLSearchParams(search);
  sorted.sort();
  return `${path}?${sorted.toString()}`;
}

/** The part of a site that is crawled. */
export interface SiteScope {
  /** True for an address of the same host below the start address that the patterns let in. */
  includes(url: URL): boolean;
  isSameSite(url: URL): boolean;
  /** Gives an address of the site the scheme of the start address. */
  ownScheme(url: URL): URL;
}

/** The scope of a start address: its folder (`/docs/` for `/docs/intro.html`), or what `include` names instead. */
export function siteScope(
  start: URL,
  { include, exclude }: { include: readonly string[]; exclude: readonly string[] },
): SiteScope {
  const isFile = /\.[a-z\d]{1,8}$/i.test(start.pathname);
  const folder = isFile
    ? start.pathname.replace(/[^/]*$/, '')
    : start.pathname.replace(/\/?$/, '/');
  const isSameSite = (url: URL) => portless(url) === portless(start);
  return {
    isSameSite,
    includes(url) {
      const path = decoded(url.pathname) + url.search;
      const isIn =
        include.length === 0
          ? `${url.pathname}/`.startsWith(folder) || url.pathname.startsWith(folder)
          : include.some((pattern) => matchesPath(pattern, path)) ||
            pageKey(url) === pageKey(start);
      return isSameSite(url) && isIn && !exclude.some((pattern) => matchesPath(pattern, path));
    },
    ownScheme(url) {
      if (url.protocol === start.protocol || !isSameSite(url)) return url;
      return new URL(`${start.origin}${url.pathname}${url.search}`);
    },
  };
}

/** http and https at their own ports are one site. */
function portless({ protocol, port, hostname }: URL): string {
  const named = port === '' || (protocol === 'https:' && port === '80') ? '' : `:${port}`;
  return hostname.replace(/\.$/, '') + named;
}

/** Matches all of a path with a pattern whose `*` stands for any characters, in linear time for each star. */
export function matchesPath(pattern: string, path: string): boolean {
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let resume = 0;
  while (at < path.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern++;
      resume = at;
    } else if (pattern[inPattern] === path[at]) {
      inPattern++;
      at++;
    } else if (star !== -1) {
      inPattern = star + 1;
      at = ++resume;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(inPattern));
}
