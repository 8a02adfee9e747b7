import { domainToASCII } from 'node:url';
import { refusedField } from '../platform/errors.js';
import { parseUrl } from '../platform/text/parse-url.js';

/** Where a page is, as far as knowledge is concerned: scheme, port, query and fragment do not matter. */
export interface PageAddress {
  /** Lower case, IDN as punycode, without a trailing dot. */
  host: string;
  /** Begins with `/`, percent-decoded, without a trailing slash (the root is `/`). */
  path: string;
}

/** The address of a page's full URL. Refuses with `invalid_request` what is no http(s) URL. */
export function parsePageUrl(url: string, field = 'url'): PageAddress {
  const parsed = parseUrl(url);
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.hostname === '') {
    const message = 'must be a full http(s) address, e.g. https://docs.example.com/install';
    throw refusedField(field, message);
  }
  return { host: withoutTrailingDot(parsed.hostname), path: normalizePath(parsed.pathname) };
}

/**
 * A path in the one form that patterns are compared with. Each segment is decoded by itself, since `%2F` is a
 * part of a segment and no border; bytes that decode to nothing are left encoded.
 */
export function normalizePath(pathname: string): string {
  const trimmed = pathname.split('/').map(decodeSegment).join('/').replace(/\/+$/, '');
  return trimmed === '' ? '/' : trimmed;
}

/** The path of a view in the form that is stored and compared: as a page's path, without query and fragment. */
export function normalizeViewPath(text: string): string {
  return normalizePath(text.trim().replace(/[?#].*$/s, ''));
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('/', '%2F');
  } catch {
    // A stray `%` is legal in what people type: compared as it stands.
    return segment;
  }
}

/** Characters of a host name at most: what DNS takes. */
const longestHost = 253;

/**
 * A host name as an admin writes it, in the one form that is stored: `docs.example.com` or
 * `*.example.com`. Refuses with `invalid_request` anything else, a URL or a port included.
 */
export function normalizeHost(text: string, field = 'domain'): string {
  const wildcard = text.startsWith('*.');
  const bare = wildcard ? text.slice(2) : text;
  const ascii =
    bare.length > longestHost + 1 || /[/:@?#\s*]/.test(bare)
      ? ''
      : withoutTrailingDot(domainToASCII(bare.toLowerCase()));
  if (
    ascii === '' ||
    ascii.length > longestHost ||
    !/^[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/.test(ascii)
  ) {
    const message = `must be a host name such as docs.example.com or *.example.com, not ${JSON.stringify(text.slice(0, 80))}`;
    throw refusedField(field, message);
  }
  return wildcard ? `*.${ascii}` : ascii;
}

/** The registered names that claim a host, the most specific first: itself, then each wildcard above it. */
export function claimsOn(host: string): string[] {
  const labels = host.split('.');
  const wildcards = labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`);
  return [host, ...wildcards];
}

function withoutTrailingDot(host: string): string {
  return host.replace(/\.$/, '');
}
