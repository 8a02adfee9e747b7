import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.js';
import type { Database } from './database.js';

/**
 * The most milliseconds between the start of a read and its last use. Another process's change is seen after so long,
 * and this process's own change at once.
 */
export const recentMs = 20;
/** The most characters of all keys, with 200 for each: some 4,000 reads, of which a request causes about four. */
const mostCharacters = 1_000_000;

/** Reads one value, named by `key`: either each time, or as `readRecently` does. */
export type ReadNamed = <T>(key: string, read: () => Promise<T>) => Promise<T>;

declare module './database.js' {
  interface DatabaseMemory {
    /** `inTransaction` discards them, so that a process sees its own changes. */
    recentReads?: LRUCache<string, { began: number; value: Promise<unknown> }> | undefined;
  }
}

/**
 * The result of `read`, or of one with the same key that began at most 20 ms ago. Only for reads that many requests
 * share, and whose result nobody changes. Inside a transaction everything is read each time.
 */
export function readRecently<T>(
  { db, clock }: { db: Database; clock: Clock },
  key: string,
  read: () => Promise<T>,
): Promise<T> {
  if (db.write.isTransaction === true) return read();
  const kept = (db.memory.recentReads ??= new LRUCache({
    maxSize: mostCharacters,
    sizeCalculation: (_, key) => 200 + key.length,
  }));
  const now = clock.elapsed();
  const present = kept.get(key);
  if (present !== undefined && now - present.began <= recentMs) return present.value as Promise<T>;
  const value = read();
  kept.set(key, { began: now, value });
  // What failed is read again by the next request.
  value.catch(() => kept.delete(key));
  return value;
}
