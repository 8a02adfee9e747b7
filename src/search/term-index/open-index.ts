import { LRUCache } from 'lru-cache';
import type { WithDb } from '../../platform/app.js';
import { readCandidates, type Candidate } from '../passages/passages.repository.js';
import { rightsMissing, type SearchScope } from '../passages/scope.js';
import {
  cacheOf,
  mostCounts,
  mostScopes,
  StaleIndexError,
  type OrganizationIndex,
  type PassageIndex,
  type VisibleSegment,
} from './index-cache.js';
import { buildSegment, mostBuilt, type IndexedTerms, type Segment } from './segment.js';
import {
  listPassagesAfter,
  listSegments,
  readRevision,
  readSlots,
  readTerms,
  readVisible,
} from './segments.repository.js';

/** How often a search restarts when segments are merged meanwhile. */
const mostAttempts = 5;

/**
 * Runs `work` on the present state of the passages that a scope sees, including changes by other processes. Read data
 * is cached within limits while the organization's revision stays the same.
 */
export async function withIndex<T>(
  app: WithDb,
  scope: SearchScope,
  work: (index: PassageIndex) => Promise<T>,
): Promise<T> {
  return whileFresh(app, scope.organizationId, async () => work(await openIndex(app, scope)));
}

async function whileFresh<T>(
  app: WithDb,
  organizationId: number,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StaleIndexError) || attempt === mostAttempts) throw error;
      cacheOf(app).organizations.delete(organizationId);
    }
  }
}

/** As withIndex, on all passages of an organization including drafts: the caller must add the rights. */
export async function withWholeIndex<T>(
  app: WithDb,
  organizationId: number,
  work: (index: PassageIndex) => Promise<T>,
): Promise<T> {
  return whileFresh(app, organizationId, async () => {
    const { revision, segments } = await openOrganization(app, organizationId);
    const ids = joined(segments.map(({ slots }) => slots.ids));
    return work(viewOf({ revision, segments }, ids));
  });
}

async function openIndex(app: WithDb, scope: SearchScope): Promise<PassageIndex> {
  const organization = await openOrganization(app, scope.organizationId);
  const key = `${scope.appId ?? '*'} ${scope.tiers.toSorted().join()}`;
  const known = organization.scopes.get(key);
  if (known !== undefined) return known;
  const narrowed = narrow(organization, scope);
  organization.scopes.set(key, narrowed);
  return narrowed;
}

async function openOrganization(app: WithDb, organizationId: number): Promise<OrganizationIndex> {
  const { organizations, opening } = cacheOf(app);
  // Read the revision first: after any later change, the next search sees another revision.
  const revision = await readRevision(app, organizationId);
  const known = organizations.get(organizationId);
  if (known?.revision === revision) return known;
  const underway = opening.get(organizationId);
  // The load may have begun before the change; its revision shows this.
  if (underway !== undefined && (await underway).revision >= revision) return underway;
  const reading = readOrganization(app, organizationId, revision, known);
  opening.set(organizationId, reading);
  try {
    const read = await reading;
    organizations.set(organizationId, read);
    return read;
  } finally {
    if (opening.get(organizationId) === reading) opening.delete(organizationId);
  }
}

async function readOrganization(
  app: WithDb,
  organizationId: number,
  revision: number,
  before: OrganizationIndex | undefined,
): Promise<OrganizationIndex> {
  const ids = await listSegments(app, organizationId);
  const known = new Map(before?.segments.map((segment) => [segment.id, segment]));
  const missing = ids.filter((id) => !known.has(id));
  const slots = missing.length === 0 ? undefined : await readSlots(app, missing);
  const stored = ids.map((id): Segment => {
    const own = known.get(id) ?? { id, slots: slots?.get(id), lists: undefined };
    if (own.slots === undefined) throw new StaleIndexError();
    return { ...own, slots: own.slots };
  });
  const last = stored.at(-1)?.slots.ids.at(-1) ?? 0;
  const present = new Set(await listPassagesAfter(app, organizationId, last));
  const kept = before?.tail.filter(({ id }) => present.has(id)) ?? [];
  const tail = [...kept, ...(await readTerms(app, organizationId, kept.at(-1)?.id ?? last))];
  const isSame =
    before !== undefined && tail.length === before.tail.length && kept.length === tail.length;
  const unstored = isSame ? before.segments.filter(({ id }) => id === undefined) : segmentsOf(tail);
  return {
    revision,
    tail,
    groups: await readVisible(app, organizationId),
    scopes: new LRUCache({ max: mostScopes }),
    segments: [...stored, ...unstored],
  };
}

function segmentsOf(tail: readonly IndexedTerms[]): Segment[] {
  const segments: Segment[] = [];
  for (let start = 0; start < tail.length; start += mostBuilt) {
    segments.push(buildSegment(tail.slice(start, start + mostBuilt)));
  }
  return segments;
}

function narrow(
  { revision, segments, groups }: OrganizationIndex,
  scope: SearchScope,
): PassageIndex {
  const { organizationId } = scope;
  const seen = groups
    .filter((group) => {
      const passage = { ...group, organizationId, published: true };
      return rightsMissing(passage, scope).length === 0;
    })
    .map(({ ids }) => ids);
  return viewOf({ revision, segments }, joined(seen));
}

function viewOf(
  { revision, segments }: Pick<OrganizationIndex, 'revision' | 'segments'>,
  visible: Uint32Array,
): PassageIndex {
  const totals = { passages: 0, words: 0, grams: 0 };
  let at = 0;
  const narrowed = segments.map((segment): VisibleSegment => {
    const { ids, words, grams } = segment.slots;
    const flags = new Uint8Array(ids.length);
    for (let slot = 0; slot < ids.length; slot++) {
      const id = ids[slot] ?? 0;
      while ((visible[at] ?? Infinity) < id) at++;
      if (visible[at] !== id) continue;
      flags[slot] = 1;
      totals.passages++;
      totals.words += words[slot] ?? 0;
      totals.grams += grams[slot] ?? 0;
    }
    return { ...segment, visible: flags };
  });
  const counts = new LRUCache<string, number>({ max: mostCounts });
  return { revision, ids: visible, totals, segments: narrowed, counts };
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all.sort();
}

/** The features of passages within the scope, by id. */
export async function recallCandidates(
  app: WithDb,
  scope: SearchScope,
  { revision }: Pick<PassageIndex, 'revision'>,
  ids: readonly number[],
): Promise<Candidate[]> {
  const { candidates } = cacheOf(app);
  const known = ids.flatMap((id) => {
    const one = candidates.get(id);
    return one?.revision === revision ? [one.candidate] : [];
  });
  const inOrder = (all: Candidate[]) => all.sort((a, b) => a.id - b.id);
  if (known.length === ids.length) return inOrder(known);
  const held = new Set(known.map(({ id }) => id));
  const missing = ids.filter((id) => !held.has(id));
  const read = await readCandidates(app, scope, missing);
  for (const candidate of read) candidates.set(candidate.id, { revision, candidate });
  return inOrder([...known, ...read]);
}
