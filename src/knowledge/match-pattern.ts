import { refusedField } from '../platform/errors.js';
import { normalizePath, type PageAddress, parsePageUrl } from '../tenancy/page-address.js';

/**
 * Normalizes a URL pattern such as `/invoices/:id` or `/docs/*` for storage and comparison. `:name` matches one
 * segment, `*` the rest. Query strings, fragments and trailing slashes do not matter. Errors: `invalid_request` for a
 * pattern that does not begin with `/`, or has a `*` before its last segment, which would match nothing.
 */
export function normalizePattern(text: string): string {
  const path = normalizePath(text.trim().replace(/[?#].*$/s, ''));
  const segments = path.slice(1).split('/');
  const star = segments.findIndex((segment) => segment.includes('*'));
  const misplaced = star !== -1 && (star !== segments.length - 1 || segments[star] !== '*');
  if (!text.trim().startsWith('/') || misplaced) {
    const message =
      'must begin with /, and have * only as its last segment, e.g. /invoices/:id or /docs/*';
    throw refusedField('url_pattern', message, 'invalid_request', { is: 'url_pattern' });
  }
  return path;
}

/** The pattern that means the page at an address alone; null when its path would be read as a pattern of many. */
export function patternOfPage({ path }: PageAddress): string | null {
  return /\*|\/:/.test(path) ? null : path;
}

/** The pattern of the page that an entry was read from: it is shown there, if the page belongs to its domain. */
export function patternOfSource(domain: string | null, sourceUrl: string | null): string | null {
  const page = sourceUrl === null ? undefined : parsePageUrl(sourceUrl);
  return page !== undefined && page.host === domain ? patternOfPage(page) : null;
}

/**
 * Sorts patterns by specificity. Segment by segment: a literal, then `:name`, then `*`; longer before shorter, except
 * that `/docs` comes before `/docs/*`.
 */
export function compareSpecificity(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = kindOf(left[index]) - kindOf(right[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function kindOf(segment: string | undefined): number {
  if (segment === '*') return 3;
  if (segment === undefined) return 2;
  return segment.startsWith(':') ? 1 : 0;
}
