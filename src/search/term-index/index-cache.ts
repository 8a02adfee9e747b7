import { LRUCache } from 'lru-cache';
import type { WithDb } from '../../platform/app.js';
import type { Candidate } from '../passages/passages.repository.js';
import { ListCache } from './list-cache.js';
import type { IndexedTerms, Segment } from './segment.js';
import type { VisibleGroup } from './segments.repository.js';

/** The passages that a scope sees, for a search. */
export interface PassageIndex {
  revision: number;
  /** Numbers of the passages, ascending. */
  ids: Uint32Array;
  /** The number of those passages, and their total lengths in stems and in character 4-grams. */
  totals: Totals;
  segments: readonly VisibleSegment[];
  /** The number of those passages that hold a term, for the terms of recent searches. */
  counts: LRUCache<string, number>;
}

export interface Totals {
  passages: number;
  words: number;
  grams: number;
}

export interface VisibleSegment extends Segment {
  /** 1 for each slot whose passage the scope sees. */
  visible: Uint8Array;
}

/** An organization's passages at a revision. */
export interface OrganizationIndex {
  revision: number;
  segments: Segment[];
  /** Passages outside the stored segments. */
  tail: IndexedTerms[];
  groups: VisibleGroup[];
  scopes: LRUCache<string, PassageIndex>;
}

/**
 * The memory limits in bytes: for term lists (before `limitLists`), for the visibility of passages, and for recently
 * read features.
 */
const mostBytes = {
  lists: 512 * 1024 * 1024,
  organizations: 128 * 1024 * 1024,
  candidates: 64 * 1024 * 1024,
};
export const mostScopes = 16;
/** Terms whose passages are counted once for each scope. Counting a frequent one takes a millisecond. */
export const mostCounts = 4000;
/**
 * Bytes of a passage in an organization's index (its id twice and its lengths; for each scope its id and visibility),
 * of a passage outside the stored segments, and of such a segment.
 */
const bytesOf = { passage: 16 + 5 * mostScopes, waiting: 4000, unstored: 200_000 };

function bytesIn({ segments, tail }: OrganizationIndex): number {
  return segments.reduce(
    (sum, { id, slots }) =>
      sum + bytesOf.passage * slots.ids.length + (id === undefined ? bytesOf.unstored : 0),
    1000 + bytesOf.waiting * tail.length,
  );
}

/** The index data that a process caches, within `mostBytes`. */
class IndexCache {
  readonly organizations = new LRUCache<number, OrganizationIndex>({
    maxSize: mostBytes.organizations,
    // An item larger than the whole cache would not be kept, and would be read again for each search.
    sizeCalculation: (organization) => Math.min(mostBytes.organizations, bytesIn(organization)),
  });
  readonly opening = new Map<number, Promise<OrganizationIndex>>();
  readonly candidates = new LRUCache<number, { revision: number; candidate: Candidate }>({
    maxSize: mostBytes.candidates,
    sizeCalculation: ({ candidate: { title, body, features } }) =>
      1000 +
      title.length +
      body.length +
      5 * (features.words.hashes.length + features.grams.hashes.length),
  });
  readonly lists = new ListCache(mostBytes.lists);
}

declare module '../../platform/db/database.js' {
  interface DatabaseMemory {
    searchIndex?: IndexCache;
  }
}

export function cacheOf({ db }: WithDb): IndexCache {
  return (db.memory.searchIndex ??= new IndexCache());
}

/** Sets the memory for term lists, in bytes. */
export function limitLists(app: WithDb, bytes: number): void {
  cacheOf(app).lists.most = bytes;
}

/** A segment was merged with others after the index was opened. */
export class StaleIndexError extends Error {}
