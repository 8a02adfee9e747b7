import { domainToASCII } from 'node:url';
import { refusedField } from '../platform/errors.js';
import { remembering } from '../platform/remember.js';
import { parseUrl } from '../platform/text/parse-url.js';

/** The address of a page for knowledge: scheme, port, query and fragment do not matter. */
export interface PageAddress {
  /** Lower case, IDN as punycode, without a trailing dot. */
  host: string;
  /** Begins with `/`, percent-decoded, without a trailing slash (the root is `/`). */
  path: string;
}

/** The address of a page's full URL. Errors: `invalid_request` for anything but an http(s) URL. */
export function parsePageUrl(url: string, field = 'url'): PageAddress {
  const { address } = readAddress(url);
  if (address !== undefined) return address;
  const message = 'must be a full http(s) address, e.g. https://docs.example.com/install';
  throw refusedField(field, message, 'invalid_request', { is: 'page_address' });
}

/** The most addresses in memory: many readers have the same page open. */
const mostAddresses = 2000;

const readAddress = remembering((url): { address?: PageAddress } => {
  const parsed = parseUrl(url);
  const isPage = parsed !== undefined && /^https?:$/.test(parsed.protocol);
  if (!isPage || parsed.hostname === '') return {};
  const host = withoutTrailingDot(parsed.hostname);
  return { address: { host, path: normalizePath(parsed.pathname) } };
}, mostAddresses);

/**
 * A path in the form for comparison with patterns. Segments are decoded one by one, because `%2F` is part of a segment;
 * invalid bytes stay encoded.
 */
export function normalizePath(pathname: string): string {
  // With the condition before, a run of slashes is looked at once.
  const trimmed = pathname
    .split('/')
    .map(decodeSegment)
    .join('/')
    .replace(/(?<!\/)\/+$/, '');
  return trimmed === '' ? '/' : trimmed;
}

/** A view's path in its stored form: like a page's path, without query and fragment. */
export function normalizeViewPath(text: string): string {
  return normalizePath(text.trim().replace(/[?#].*$/s, ''));
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('/', '%2F');
  } catch {
    // People may type a single `%`, which is legal; it stays unchanged.
    return segment;
  }
}

/** The most characters of a DNS host name. */
const longestHost = 253;

/**
 * A host name in its stored form: `docs.example.com` or `*.example.com`. Errors: `invalid_request` for anything else,
 * including a URL or a port.
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
    throw refusedField(field, message, 'invalid_request', { is: 'host_name' });
  }
  return wildcard ? `*.${ascii}` : ascii;
}

/** The registered names that would claim a host, the most specific first: itself, then the wildcards above it. */
export function claimsOn(host: string): string[] {
  const labels = host.split('.');
  const wildcards = labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`);
  return [host, ...wildcards];
}

function withoutTrailingDot(host: string): string {
  return host.replace(/\.$/, '');
}
