import { LRUCache } from 'lru-cache';
import type { App } from '../../platform/app.js';
import type { Candidate } from '../passages/passages.repository.js';
import type { IndexedTerms, Segment, TermList } from './segment.js';
import type { VisibleGroup } from './segments.repository.js';

/** The passages that a scope sees, as a search chooses among them. */
export interface PassageIndex {
  revision: number;
  /** Numbers of the passages, ascending. */
  ids: Uint32Array;
  /** Of those passages: how many, and their lengths in stems and in character 4-grams, added up. */
  totals: Totals;
  segments: readonly VisibleSegment[];
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

/** An organization's passages as of a revision. */
export interface OrganizationIndex {
  revision: number;
  segments: Segment[];
  /** Passages that stand in no stored segment yet. */
  tail: IndexedTerms[];
  groups: VisibleGroup[];
  scopes: LRUCache<string, PassageIndex>;
}

/** Bytes of memory at most: for term lists, for who sees which passage, and for what passages were scored by lately. */
const mostBytes = {
  lists: 256 * 1024 * 1024,
  organizations: 128 * 1024 * 1024,
  candidates: 64 * 1024 * 1024,
};
/** Scopes of an organization that are remembered. */
export const mostScopes = 16;
/**
 * Bytes of a passage in an organization's index (its number twice and its lengths, and for each scope its number and
 * whether it is seen), of one that stands in no stored segment yet, and of such a segment.
 */
const bytesOf = { passage: 16 + 5 * mostScopes, waiting: 4000, unstored: 200_000 };

function bytesIn({ segments, tail }: OrganizationIndex): number {
  return segments.reduce(
    (sum, { id, slots }) =>
      sum + bytesOf.passage * slots.ids.length + (id === undefined ? bytesOf.unstored : 0),
    1000 + bytesOf.waiting * tail.length,
  );
}

/** What a process remembers of the index, within `mostBytes`. */
class IndexCache {
  readonly organizations = new LRUCache<number, OrganizationIndex>({
    maxSize: mostBytes.organizations,
    // What is larger than all that may be kept would not be kept at all, and read anew for each search.
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
  /** By the number of their segment: those of its term lists that were read. */
  readonly lists = new LRUCache<number, { lists: (TermList | undefined)[]; bytes: number }>({
    maxSize: mostBytes.lists,
    sizeCalculation: ({ bytes }) => bytes,
  });
}

declare module '../../platform/db/database.js' {
  interface DatabaseMemory {
    searchIndex?: IndexCache;
  }
}

export function cacheOf({ db }: Pick<App, 'db'>): IndexCache {
  return (db.memory.searchIndex ??= new IndexCache());
}

/** A segment was merged with others after the index was opened. */
export class StaleIndexError extends Error {}
