import { linkWithin } from '../platform/text/source-links.js';
import { parseUrl } from '../platform/text/parse-url.js';
import { extensionOf, kindsByExtension } from './document.js';

/** In characters. */
const longest = 500;

/**
 * Where links of a document lead: to another site or a mail address, or to another document of the same source, as
 * `linkWithin` writes it. Undefined for what is no text (a picture, a program), and for links within the document.
 * @param address of the page, if the document is one
 */
export function addressOpener(address: string | undefined): (href: string) => string | undefined {
  const page = address === undefined ? undefined : parseUrl(address);
  return (href) => {
    const written = href.trim();
    if (written === '' || written.startsWith('#') || written.length > longest) return undefined;
    const link = page === undefined ? toFile(written) : toPage(written, page);
    return link !== undefined && link.length <= longest ? link : undefined;
  };
}

function toPage(href: string, page: URL): string | undefined {
  const url = parseUrl(href, page.href);
  if (url === undefined) return undefined;
  if (url.host !== page.host) return outwards(url);
  if (!/^https?:$/.test(url.protocol)) return undefined;
  const isHere = url.pathname === page.pathname && url.search === page.search;
  return isHere || !isText(url.pathname)
    ? undefined
    : linkWithin(url.pathname + url.search + url.hash);
}

function toFile(href: string): string | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href)) {
    const url = parseUrl(href);
    return url === undefined ? undefined : outwards(url);
  }
  const [path = ''] = href.split(/[?#]/);
  return path === '' || !isText(path) ? undefined : linkWithin(href);
}

/** Only addresses that are safe to open: of the web, and of mail. */
function outwards(url: URL): string | undefined {
  if (!/^(?:https?|mailto):$/.test(url.protocol)) return undefined;
  return url.href.replaceAll('(', '%28').replaceAll(')', '%29');
}

/** Paths without an ending name folders, or pages whose ending a generator takes away. */
function isText(path: string): boolean {
  const ending = extensionOf(path);
  return ending === '' || !/[a-z]/.test(ending) || ending in kindsByExtension;
}
