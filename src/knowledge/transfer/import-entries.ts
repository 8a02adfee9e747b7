import { requirePermission, type Actor, nameOf, type Member } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { failed, type Imported, type ImportOptions, type ReadRecord } from './imported.js';
import type { Said } from './read-sources.js';
import { inIndexingTransaction } from '../../search/index-entries.js';
import { AppError } from '../../platform/errors.js';
import { analyseTexts, type AnalysedTexts } from '../../search/passages/analyse-texts.js';
import { createView } from '../../tenancy/manage-views.js';
import { findEntriesByUuid, findForeignEntries } from '../entries.repository.js';
import type { Entry, NewEntry } from '../entry.js';
import { addEntries, changeEntry, recordEntry } from '../store-entries.js';
import { uuidsOf } from './entry-record.js';
import { createPlaces, type ImportPlace } from './find-places.js';
import { planImport, type Plan, type Standing } from './plan-import.js';

/** The entries of one transaction: so short that the server's own writes need not wait. */
const entriesPerSlice = 100;
const charactersPerSlice = 500_000;

/**
 * Imports records in slices of one transaction each, and returns the result for each record. Unchanged entries are
 * skipped, so an interrupted import is resumed by running it again; changed entries keep their history. An invalid
 * record never stops the others. Errors: `forbidden` for actors who may not write knowledge.
 */
export async function* importEntries(
  app: App,
  actor: Actor,
  records: AsyncIterable<Said>,
  options: ImportOptions,
): AsyncGenerator<Imported> {
  const member = requirePermission(actor, 'knowledge.write');
  const seen = new Set<string>();
  let slice: ReadRecord[] = [];
  let characters = 0;
  for await (const said of records) {
    const read = readRecord(said);
    if ('action' in read) {
      yield read;
      continue;
    }
    slice.push(read);
    characters += read.record.content.length;
    if (slice.length < entriesPerSlice && characters < charactersPerSlice) continue;
    yield* await importSlice(app, member, slice, seen, options);
    slice = [];
    characters = 0;
    if (options.signal.aborted) return;
  }
  if (slice.length > 0 && !options.signal.aborted) {
    yield* await importSlice(app, member, slice, seen, options);
  }
}

function readRecord(said: Said): ReadRecord | Imported {
  try {
    return { said, record: said.read() };
  } catch (error) {
    return failed(said, error);
  }
}

/** A record to store, or the result without storing. */
type Planned = { read: ReadRecord; plan: Plan } | { read: ReadRecord; failure: Imported };

/** Imports some records in one transaction. `seen` collects the entries that the import has named. */
async function importSlice(
  app: App,
  member: Member,
  records: ReadRecord[],
  seen: Set<string>,
  options: ImportOptions,
): Promise<Imported[]> {
  // Plan outside first: this shows which texts to analyse, and texts are not analysed in a transaction.
  const outside = await planSlice(app, member, records, new Set(seen), options);
  const changes = outside.some((one) => 'plan' in one && one.plan.action !== 'unchanged');
  if (options.dryRun || !changes) {
    return noteSeen(outside, seen);
  }
  const analysed = await analyseTexts(outside.flatMap(newText));
  const stored = await inIndexingTransaction(app, async (app) => {
    const planned = await planSlice(app, member, records, new Set(seen), options);
    await store(app, member, planned, analysed);
    return planned;
  });
  return noteSeen(stored, seen);
}

/** The results of planned records, whose entries are then known as seen. */
function noteSeen(planned: Planned[], seen: Set<string>): Imported[] {
  for (const one of planned) if ('plan' in one) seen.add(uuidOf(one.plan));
  return planned.map(present);
}

async function planSlice(
  app: App,
  member: Member,
  records: ReadRecord[],
  seen: Set<string>,
  options: ImportOptions,
): Promise<Planned[]> {
  const places = createPlaces(member, options);
  const standings = await findStandings(app, member.organizationId, records);
  const planned: Planned[] = [];
  for (const [index, read] of records.entries()) {
    const { record, said } = read;
    try {
      const standing = standings[index];
      if (standing === undefined) throw new Error('a record has no standing');
      if (seen.has(standing.uuid)) throw saidTwice(record.id);
      const plan = await planImport(app, member, places, record, standing);
      seen.add(standing.uuid);
      planned.push({ read, plan });
    } catch (error) {
      planned.push({ read, failure: failed(said, error, record.title ?? null) });
    }
  }
  return planned;
}

/** A uuid belongs to one organization of an installation. A copy in another organization gets its own uuid. */
async function findStandings(
  app: App,
  organizationId: number,
  records: ReadRecord[],
): Promise<Standing[]> {
  const ids = records.map(({ record }) => {
    const [given = '', own = given] = uuidsOf(organizationId, record.id);
    return { given, own };
  });
  const uuids = ids.flatMap(({ given, own }) => [given, own]);
  const found = await findEntriesByUuid(app, organizationId, uuids);
  const entries = new Map(found.map((entry) => [entry.uuid, entry]));
  const foreign = new Set(await findForeignEntries(app, organizationId, uuids));
  return ids.map(({ given, own }) => {
    const entry = entries.get(given) ?? entries.get(own);
    return { entry, uuid: entry?.uuid ?? (foreign.has(given) ? own : given) };
  });
}

function newText(one: Planned) {
  if (!('plan' in one) || one.plan.action === 'unchanged') return [];
  if (one.plan.action === 'create') return [one.plan.fields];
  const { title, content, language } = { ...one.plan.entry, ...one.plan.change };
  const { entry } = one.plan;
  return title === entry.title && content === entry.content ? [] : [{ title, content, language }];
}

async function store(
  app: App,
  member: Member,
  planned: Planned[],
  analysed: AnalysedTexts,
): Promise<void> {
  const views = new Map<string, number>();
  const fresh: NewEntry[] = [];
  for (const one of planned) {
    if (!('plan' in one) || one.plan.action === 'unchanged') continue;
    const { plan } = one;
    const viewId = await makeView(app, member, plan.place, views);
    if (plan.action === 'create') {
      fresh.push({ ...plan.fields, viewId });
      continue;
    }
    const changed = await changeEntry(
      app,
      plan.entry,
      { ...plan.change, viewId },
      nameOf(member),
      analysed,
    );
    await recordEntry(app, member, 'update', { before: plan.entry, after: changed });
  }
  const added: Entry[] = await addEntries(app, fresh, analysed);
  for (const entry of added) {
    await recordEntry(app, member, 'create', { after: entry });
  }
}

/** The view of the place; created if missing. */
async function makeView(
  app: App,
  member: Member,
  { viewId, missingView }: ImportPlace,
  made: Map<string, number>,
): Promise<number | null> {
  if (missingView === undefined) return viewId;
  const key = `${missingView.appId} ${missingView.path}`;
  const id = made.get(key) ?? (await createView(app, member, missingView)).id;
  made.set(key, id);
  return id;
}

function saidTwice(id: string): AppError {
  const sentence = `id: ${JSON.stringify(id.slice(0, 60))} was there before; each entry has its own`;
  return new AppError('conflict', sentence);
}

function uuidOf(plan: Plan): string {
  return plan.action === 'create' ? plan.fields.uuid : plan.entry.uuid;
}

function present(one: Planned): Imported {
  if ('failure' in one) return one.failure;
  const { said, record } = one.read;
  const { source, line } = said;
  const title = record.title ?? null;
  return { source, line, id: uuidOf(one.plan), title, action: one.plan.action, error: null };
}
