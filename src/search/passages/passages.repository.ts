import type { Visibility } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { Language } from '../../language/language-pack.js';
import { decodeFeatures, type TermFeatures } from '../../language/term-features.js';
import type { Place } from './place.js';
import { withinScope, type SearchScope } from './scope.js';

/** The rights and place of an entry's passages. They change without a new analysis of the text. */
export interface Eligibility {
  organizationId: number;
  /** Null while no app claims the entry's domain: then nobody finds it. */
  appId: number | null;
  visibility: Visibility;
  published: boolean;
  viewId: number | null;
  domain: string | null;
  urlPattern: string | null;
}

/** A found passage. Pages are those of its document, from 1; null without a document. */
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
  /** The features for scoring, as `encodeFeatures` wrote them. */
  features: Uint8Array;
  language: Language;
  pageFrom: number | null;
  pageTo: number | null;
  eligibility: Eligibility;
}

type Store = Pick<App, 'db'>;

export interface Candidate extends Passage {
  features: TermFeatures;
}

/** Rows per insert: well below the limit of bound parameters. */
const rowsPerInsert = 40;

export async function insertPassages(app: Store, passages: NewPassage[]): Promise<void> {
  for (let start = 0; start < passages.length; start += rowsPerInsert) {
    const slice = passages.slice(start, start + rowsPerInsert);
    const ids: { id: number }[] = await app.db
      .write('passages')
      .insert(slice.map(toRow))
      .returning('id');
    const counted = slice.map(({ features }, index) => {
      return { passage_id: ids[index]?.id ?? 0, features };
    });
    await app.db.write('passage_features').insert(counted);
  }
}

export async function deletePassagesOf(app: Store, entryIds: number[]): Promise<void> {
  await app.db.write('passages').whereIn('entry_id', entryIds).delete();
}

/** The passages that still exist: a change of an entry's text replaces them. */
export async function findPresent(app: Store, ids: number[]): Promise<Set<number>> {
  const rows: { id: number }[] = await app.db.read('passages').whereIn('id', ids).select('id');
  return new Set(rows.map(({ id }) => id));
}

export async function updateEligibility(
  app: Store,
  entryIds: number[],
  change: Partial<Eligibility>,
): Promise<void> {
  await app.db.write('passages').whereIn('entry_id', entryIds).update(eligibilityRow(change));
}

/** Updates the pages after the document was read again and the entry's text moved. */
export async function updatePages(
  app: Store,
  entryId: number,
  pages: Pick<Passage, 'pageFrom' | 'pageTo'>,
): Promise<void> {
  const columns = { page_from: pages.pageFrom, page_to: pages.pageTo };
  await app.db.write('passages').where({ entry_id: entryId }).update(columns);
}

/** The organization's passages that match the page by its view or by a URL pattern: ids, ascending. */
export async function listAtPage(
  app: Store,
  organizationId: number,
  { viewId, domains, patterns }: Place,
): Promise<Uint32Array> {
  const own = () => app.db.read('passages').where({ organization_id: organizationId });
  const found: number[] = [];
  if (viewId !== undefined) {
    found.push(...((await own().where({ view_id: viewId }).pluck('id')) as number[]));
  }
  if (patterns.length > 0) {
    const under = own()
      .whereIn('url_pattern', patterns)
      .where((query) => void query.whereIn('domain', domains).orWhereNull('domain'));
    found.push(...((await under.pluck('id')) as number[]));
  }
  return Uint32Array.from(found).sort();
}

/** Reads those passages that are within the scope, in no order. */
export async function readCandidates(
  app: Store,
  scope: SearchScope,
  ids: readonly number[],
): Promise<Candidate[]> {
  const query = app.db.dialect
    .rowsWithKey(app.db.read, 'passages as p', 'p.id', ids)
    .join('passage_features as f', 'f.passage_id', 'p.id')
    .select('p.*', 'f.features');
  const rows = (await withinScope(query, scope)) as (PassageRow & { features: Uint8Array })[];
  return rows.map((row) => ({ ...toPassage(row), features: decodeFeatures(row.features) }));
}

/** The stored text of a passage, from which its search data is computed. */
export interface StoredText {
  id: number;
  title: string;
  body: string;
  language: Language;
}

/** The organization's next passages after one, by id. */
export async function readStoredTexts(
  app: Store,
  organizationId: number,
  after: number,
  limit: number,
): Promise<StoredText[]> {
  const rows: StoredText[] = await app.db
    .read('passages')
    .where({ organization_id: organizationId })
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .select('id', 'title', 'body', 'language');
  return rows;
}

export async function replaceFeatures(
  app: Store,
  passages: readonly { id: number; features: Uint8Array }[],
): Promise<void> {
  const rows = passages.map(({ id, features }) => ({ passage_id: id, features }));
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const slice = rows.slice(start, start + rowsPerInsert);
    await app.db.write('passage_features').insert(slice).onConflict('passage_id').merge();
  }
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
