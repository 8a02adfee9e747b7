import { AppError } from '../platform/errors.js';
import type { Entry } from './entry.js';

export function etagOf(entry: Entry): string {
  return `"${entry.version}"`;
}

/**
 * Refuses with `precondition_failed` when an If-Match header does not name the entry's present version: somebody else
 * has changed it. `*` matches any version. A weak tag counts as strong, because compressing proxies weaken tags.
 */
export function checkVersion(entry: Entry, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (tags.includes('*') || tags.includes(etagOf(entry))) return;
  throw new AppError(
    'precondition_failed',
    `The entry has been changed since: it is at version ${entry.version} now. Read it again, and repeat the change on it.`,
  );
}
