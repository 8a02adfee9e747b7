import type { Knex } from 'knex';
import type { Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { PassageChoice } from '../platform/db/dialect.js';
import type { Language } from '../platform/text/languages.js';

/** Who may see an entry's passages, and where it belongs. Changes without its text being read again. */
export interface Eligibility {
  organizationId: number;
  /** Null while no app claims the entry's domain: nobody finds it. */
  appId: number | null;
  visibility: Visibility;
  published: boolean;
  viewId: number | null;
  domain: string | null;
  urlPattern: string | null;
}

/** A passage as it is found. Pages are of the document that it came from, from 1; null without one. */
export interface Passage {
  id: number;
  entryId: number;
  position: number;
  title: string;
  body: string;
  language: Language;
  pageFrom: number | null;
  pageTo: number | null;
  viewId: number | null;
  domain: string | null;
  urlPattern: string | null;
}

/** What a search may see: the rights of whoever asks, as conditions of the query itself. */
export interface SearchScope {
  organizationId: number;
  /** One app's passages; undefined for all apps of the organization. */
  appId: number | undefined;
  tiers: Visibility[];
}

interface PassageRow {
  id: number;
  entry_id: number;
  position: number;
  title: string;
  body: string;
  language: Language;
  page_from: number | null;
  page_to: number | null;
  view_id: number | null;
  domain: string | null;
  url_pattern: string | null;
}

export interface NewPassage {
  entryId: number;
  position: number;
  title: string;
  body: string;
  titleTerms: string[];
  bodyTerms: string[];
  /** What it is scored by. */
  features: EncodedFeatures;
  language: Language;
  pageFrom: number | null;
  pageTo: number | null;
  eligibility: Eligibility;
}

/** Lengths in terms, and what `encodeFeatures` and `encodeStems` wrote. */
export interface EncodedFeatures {
  words: number;
  grams: number;
  features: Uint8Array;
  stems: Uint8Array;
}

type Store = Pick<App, 'db'>;

/** What a passage is scored by, before its text is read. */
export interface StoredCandidate {
  id: number;
  /** As `encodeFeatures` wrote them. */
  features: Uint8Array;
  language: Language;
  viewId: number | null;
  domain: string | null;
  urlPattern: string | null;
}

/** How much the whole index holds. Lengths are in terms; `revision` is raised by each change. */
export interface Totals {
  passages: number;
  words: number;
  grams: number;
  revision: number;
}

/** Rows per insert: well below the parameters that a statement may bind. */
const rowsPerInsert = 40;

export async function insertPassages(app: Store, passages: NewPassage[]): Promise<void> {
  for (let start = 0; start < passages.length; start += rowsPerInsert) {
    const slice = passages.slice(start, start + rowsPerInsert);
    const ids: { id: number }[] = await app.db
      .write('passages')
      .insert(slice.map(toRow))
      .returning('id');
    const indexed = slice.map((passage, index) => ({
      passageId: ids[index]?.id ?? 0,
      titleTerms: passage.titleTerms.join(' '),
      bodyTerms: passage.bodyTerms.join(' '),
    }));
    await app.db.dialect.addToPassageIndex(app.db.write, indexed);
    const counted = slice.map((passage, index) => {
      return { passage_id: ids[index]?.id ?? 0, ...passage.features };
    });
    await app.db
      .write('passage_features')
      .insert(counted.map(({ stems: _, ...features }) => features));
    await app.db
      .write('passage_stems')
      .insert(counted.map(({ passage_id, stems }) => ({ passage_id, stems })));
  }
}

export async function deletePassagesOf(app: Store, entryIds: number[]): Promise<void> {
  const ids = (await app.db
    .write('passages')
    .whereIn('entry_id', entryIds)
    .pluck('id')) as number[];
  if (ids.length === 0) return;
  await app.db.dialect.removeFromPassageIndex(app.db.write, ids);
  await app.db.write('passages').whereIn('entry_id', entryIds).delete();
}

export async function updateEligibility(
  app: Store,
  entryIds: number[],
  change: Partial<Eligibility>,
): Promise<void> {
  await app.db.write('passages').whereIn('entry_id', entryIds).update(eligibilityRow(change));
  // Whoever remembers who may see what learns that it is of yesterday.
  await app.db.write('passage_totals').where({ id: 1 }).increment('revision', 1);
}

/** The document was read again, and the entry's text stands on other pages of it. */
export async function updatePages(
  app: Store,
  entryId: number,
  pages: Pick<Passage, 'pageFrom' | 'pageTo'>,
): Promise<void> {
  const columns = { page_from: pages.pageFrom, page_to: pages.pageTo };
  await app.db.write('passages').where({ entry_id: entryId }).update(columns);
}

/** The passages within the scope that match any choice, by their number, in no order. */
export async function matchPassages(
  app: Store,
  scope: SearchScope,
  choices: readonly PassageChoice[],
): Promise<number[]> {
  if (choices.length === 0) return [];
  const query = app.db.dialect.matchPassages(app.db.read, choices);
  const [row] = (await withinScope(query, scope)) as { ids: string | null }[];
  return row?.ids?.split(',').map(Number) ?? [];
}

/** The stems of passages as `encodeStems` wrote them. They show nothing of a passage without the rights to it. */
export async function readStems(
  app: Store,
  ids: readonly number[],
): Promise<{ id: number; stems: Uint8Array }[]> {
  return app.db.dialect
    .rowsWithKey(app.db.read, 'passage_stems', 'passage_id', ids)
    .select('passage_id as id', 'stems');
}

/** Which groups of terms have one that stands in a passage within the scope, by their place. */
export async function findHeld(
  app: Store,
  scope: SearchScope,
  groups: string[][],
): Promise<Set<number>> {
  const { read, dialect } = app.db;
  const [first, ...others] = groups.map((terms, index) => {
    const passage = withinScope(dialect.passagesWith(read, terms), scope).select(read.raw('1'));
    // Without a table knex puts the condition behind the union.
    const one = read.raw('(select ? as held) as one', [index]);
    return read.select('held').from(one).whereExists(passage);
  });
  if (first === undefined) return new Set();
  const rows = (await first.unionAll(others)) as { held: number }[];
  return new Set(rows.map(({ held }) => held));
}

/** What those passages are scored by, as far as they are within the scope. */
export async function readCandidates(
  app: Store,
  scope: SearchScope,
  ids: readonly number[],
): Promise<StoredCandidate[]> {
  const query = app.db.dialect
    .rowsWithKey(app.db.read, 'passages as p', 'p.id', ids)
    .join('passage_features as f', 'f.passage_id', 'p.id')
    .select('p.id', 'f.features', 'p.language', 'p.view_id', 'p.domain', 'p.url_pattern');
  const rows = (await withinScope(query, scope)) as (PassageRow & { features: Uint8Array })[];
  return rows.map(({ id, features, language, view_id, domain, url_pattern }) => ({
    ...{ id, features, language, domain },
    ...{ viewId: view_id, urlPattern: url_pattern },
  }));
}

/** What passages are scored by, as `encodeFeatures` wrote it. It shows nothing of a passage without the rights to it. */
export async function readFeatures(
  app: Store,
  ids: readonly number[],
): Promise<{ id: number; features: Uint8Array }[]> {
  return app.db.dialect
    .rowsWithKey(app.db.read, 'passage_features', 'passage_id', ids)
    .select('passage_id as id', 'features');
}

/** Those passages with their text, as far as they are within the scope, in no order. */
export async function readPassages(
  app: Store,
  scope: SearchScope,
  ids: number[],
): Promise<Passage[]> {
  const query = app.db.dialect.rowsWithKey(app.db.read, 'passages as p', 'p.id', ids).select('p.*');
  const rows = (await withinScope(query, scope)) as PassageRow[];
  return rows.map(toPassage);
}

/** A subquery of the entries (`entry_id`, `score`) that hold every group's word. It has no rights of its own. */
export function matchEntries(app: Store, groups: string[][]): Knex.QueryBuilder {
  return app.db.dialect.matchEntries(app.db.read, groups, titleWeight);
}

export async function countTotals(app: Store): Promise<Totals> {
  const row = await app.db.read<Totals & { id: number }>('passage_totals').where({ id: 1 }).first();
  return row ?? { passages: 0, words: 0, grams: 0, revision: 0 };
}

/** A word in the title tells more of what a passage is about than one in its text. */
const titleWeight = 2;

/** Adds the rights of a search to a query over `passages as p`. */
export function withinScope(query: Knex.QueryBuilder, scope: SearchScope): Knex.QueryBuilder {
  query
    .where('p.organization_id', scope.organizationId)
    .where('p.published', true)
    .whereIn('p.visibility', scope.tiers);
  return scope.appId === undefined
    ? query.whereNotNull('p.app_id')
    : query.where('p.app_id', scope.appId);
}

function eligibilityRow(change: Partial<Eligibility>): Record<string, unknown> {
  const row = {
    organization_id: change.organizationId,
    app_id: change.appId,
    visibility: change.visibility,
    published: change.published,
    view_id: change.viewId,
    domain: change.domain,
    url_pattern: change.urlPattern,
  };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

function toRow(passage: NewPassage): Record<string, unknown> {
  return {
    entry_id: passage.entryId,
    position: passage.position,
    title: passage.title,
    body: passage.body,
    language: passage.language,
    page_from: passage.pageFrom,
    page_to: passage.pageTo,
    ...eligibilityRow(passage.eligibility),
  };
}

function toPassage(row: PassageRow): Passage {
  return {
    id: row.id,
    entryId: row.entry_id,
    position: row.position,
    title: row.title,
    body: row.body,
    language: row.language,
    pageFrom: row.page_from,
    pageTo: row.page_to,
    viewId: row.view_id,
    domain: row.domain,
    urlPattern: row.url_pattern,
  };
}
