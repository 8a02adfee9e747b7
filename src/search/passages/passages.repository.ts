import type { Visibility } from '../../platform/actor.js';
import type { WithDb } from '../../platform/app.js';
import { flag, plain, record, type RecordOf } from '../../platform/db/record.js';
import type { Language } from '../../language/language-pack.js';
import { decodeFeatures, type TermFeatures } from '../../language/term-features.js';
import type { Place } from './place.js';
import { withinScope, type SearchScope } from './scope.js';

const eligibility = record({
  organizationId: plain<number>(),
  /** Null while no app claims the entry's domain: then nobody finds it. */
  appId: plain<number | null>(),
  visibility: plain<Visibility>(),
  published: flag(),
  viewId: plain<number | null>(),
  domain: plain<string | null>(),
  urlPattern: plain<string | null>(),
});

/** The rights and place of an entry's passages. They change without a new analysis of the text. */
export type Eligibility = RecordOf<typeof eligibility>;

const passageText = {
  entryId: plain<number>(),
  position: plain<number>(),
  title: plain<string>(),
  body: plain<string>(),
  language: plain<Language>(),
  pageFrom: plain<number | null>(),
  pageTo: plain<number | null>(),
};
const newPassage = record(passageText);
const passage = record({
  id: plain<number>(),
  ...passageText,
  viewId: plain<number | null>(),
  domain: plain<string | null>(),
  urlPattern: plain<string | null>(),
});

/** A found passage. Pages are those of its document, from 1; null without a document. */
export type Passage = RecordOf<typeof passage>;

export interface NewPassage extends RecordOf<typeof newPassage> {
  titleTerms: string[];
  bodyTerms: string[];
  /** The features for scoring, as `encodeFeatures` wrote them. */
  features: Uint8Array;
  eligibility: Eligibility;
}

export interface Candidate extends Passage {
  features: TermFeatures;
}

/** Rows per insert: well below the limit of bound parameters. */
const rowsPerInsert = 40;

/** Has transactions that add passages come one after the other. Others may change and delete those that are there. */
export async function lockPassageOrder({ db }: WithDb): Promise<void> {
  await db.dialect.lockOrder(db.write, 'search_index');
}

export async function insertPassages(app: WithDb, passages: NewPassage[]): Promise<void> {
  await lockPassageOrder(app);
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

export async function deletePassagesOf(app: WithDb, entryIds: number[]): Promise<void> {
  await app.db.write('passages').whereIn('entry_id', entryIds).delete();
}

/** The passages that still exist: a change of an entry's text replaces them. */
export async function findPresent(app: WithDb, ids: number[]): Promise<Set<number>> {
  const rows: { id: number }[] = await app.db.read('passages').whereIn('id', ids).select('id');
  return new Set(rows.map(({ id }) => id));
}

export async function updateEligibility(
  app: WithDb,
  entryIds: number[],
  change: Partial<Eligibility>,
): Promise<void> {
  await app.db.write('passages').whereIn('entry_id', entryIds).update(eligibility.columns(change));
}

/** Updates the pages after the document was read again and the entry's text moved. */
export async function updatePages(
  app: WithDb,
  entryId: number,
  pages: Pick<Passage, 'pageFrom' | 'pageTo'>,
): Promise<void> {
  const columns = { page_from: pages.pageFrom, page_to: pages.pageTo };
  await app.db.write('passages').where({ entry_id: entryId }).update(columns);
}

/** The organization's passages that match the page by its view or by a URL pattern: ids, ascending. */
export async function listAtPage(
  app: WithDb,
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
  app: WithDb,
  scope: SearchScope,
  ids: readonly number[],
): Promise<Candidate[]> {
  const query = app.db.dialect
    .rowsWithKey(app.db.read, 'passages as p', 'p.id', ids)
    .join('passage_features as f', 'f.passage_id', 'p.id')
    .select('p.*', 'f.features');
  const rows = (await withinScope(query, scope)) as { features: Uint8Array }[];
  return rows.map((row) => ({ ...passage.read(row), features: decodeFeatures(row.features) }));
}

/** A passage with the rights that are stored with it. */
export interface IndexedPassage extends Passage {
  eligibility: Eligibility;
}

/** All passages of at most some hundred entries, by entry; in the order of the text. */
export async function readPassagesOf(
  app: WithDb,
  entryIds: readonly number[],
): Promise<Map<number, IndexedPassage[]>> {
  const rows = (await app.db
    .read('passages')
    .whereIn('entry_id', entryIds)
    .orderBy(['entry_id', 'position', 'id'])
    .select('*')) as { entry_id: number }[];
  const found = new Map<number, IndexedPassage[]>();
  for (const row of rows) {
    const passages = found.get(row.entry_id) ?? [];
    passages.push({ ...passage.read(row), eligibility: eligibility.read(row) });
    found.set(row.entry_id, passages);
  }
  return found;
}

/** The ids of the organization's passages that have no search data: no search finds them. */
export async function listWithoutFeatures(app: WithDb, organizationId: number): Promise<number[]> {
  return (await app.db
    .read('passages as p')
    .leftJoin('passage_features as f', 'f.passage_id', 'p.id')
    .where('p.organization_id', organizationId)
    .whereNull('f.passage_id')
    .pluck('p.id')) as number[];
}

/** The stored search data of passages, by passage id. */
export async function readFeatures(
  app: WithDb,
  ids: readonly number[],
): Promise<Map<number, Uint8Array>> {
  const rows: { passage_id: number; features: Uint8Array }[] = await app.db.dialect
    .rowsWithKey(app.db.read, 'passage_features', 'passage_id', ids)
    .select('passage_id', 'features');
  return new Map(rows.map(({ passage_id, features }) => [passage_id, features]));
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
  app: WithDb,
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
  app: WithDb,
  passages: readonly { id: number; features: Uint8Array }[],
): Promise<void> {
  const rows = passages.map(({ id, features }) => ({ passage_id: id, features }));
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const slice = rows.slice(start, start + rowsPerInsert);
    await app.db.write('passage_features').insert(slice).onConflict('passage_id').merge();
  }
}

function toRow(added: NewPassage): Record<string, unknown> {
  return { ...newPassage.columns(added), ...eligibility.columns(added.eligibility) };
}
