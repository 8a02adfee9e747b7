import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { addEntries } from '../../src/knowledge/store-entries.js';
import type { NewEntry } from '../../src/knowledge/entry.js';
import { inTransaction } from '../../src/platform/db/in-transaction.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { addOrganization, openTestApp, type TestApp } from '../../test/support/test-app.js';
import { inventText } from './invent-text.js';
import type { QuestionSet } from './question-sets.js';
import { buildRawIndex } from './raw-search.js';
import { entryOf } from './indexed-sets.js';

export interface LargeIndex {
  test: TestApp;
  organizationId: number;
  passages: number;
  /** Seconds that building it took; undefined where an earlier run's was taken. */
  builtIn: number | undefined;
  /** The entry of each passage of the sets, by language and name. */
  entryIdOf(language: string, passageId: string): number | undefined;
  /** The entry of each passage, by their numbers. */
  entryOfPassage: ReadonlyMap<number, number>;
}

/** Passages of one invented entry, as of a chapter of a manual. */
const passagesPerEntry = 8;
const charactersPerPassage = 730;
const entriesPerTransaction = 100;

/**
 * An installation with about so many passages: the sets' own, spread among invented ones in their languages.
 * `keep` is a folder where it is kept for the next run, as long as neither sets nor code have changed.
 */
export async function openLargeIndex(
  sets: readonly QuestionSet[],
  samples: ReadonlyMap<string, string>,
  size: number,
  keep: string | undefined,
): Promise<LargeIndex> {
  const kept = keep === undefined ? undefined : join(keep, fingerprint(sets, samples, size));
  if (kept !== undefined && keep !== undefined) await mkdir(keep, { recursive: true });
  const isThere = kept !== undefined && existsSync(kept);
  // Built under another name, so that what was interrupted is not taken for whole.
  const building = kept === undefined ? undefined : `${kept}.building`;
  if (building !== undefined) await rm(building, { force: true });
  const path = isThere ? kept : building;
  const open = (file: string | undefined) =>
    openTestApp({
      answers: { mode: 'extractive' },
      ...(file === undefined ? {} : { database: { path: file } }),
    });
  let test = await open(path);
  let builtIn: number | undefined;
  if (!isThere) {
    const started = performance.now();
    await build(test, sets, samples, size);
    builtIn = (performance.now() - started) / 1000;
    if (kept !== undefined && building !== undefined) {
      await test.close();
      renameSync(building, kept);
      test = await open(kept);
    }
  }
  const entries = await ownEntries(test);
  return {
    test,
    organizationId: 1,
    passages: await countPassages(test),
    builtIn,
    entryIdOf: (language, passageId) => entries.get(`${language} ${passageId}`),
    entryOfPassage: await entriesOfPassages(test),
  };
}

async function countPassages({ app }: TestApp): Promise<number> {
  const row = (await app.db.read('passages').count({ passages: 'id' }).first()) as {
    passages: number;
  };
  return row.passages;
}

async function build(
  test: TestApp,
  sets: readonly QuestionSet[],
  samples: ReadonlyMap<string, string>,
  size: number,
): Promise<void> {
  const acme = await addOrganization(test);
  const own = sets.reduce((sum, set) => sum + set.passages.length, 0);
  const chapters = Math.max(0, Math.ceil((size - own) / passagesPerEntry));
  const inventors = sets.map((set, index) =>
    inventText(samples.get(set.language) ?? '', index + 1),
  );
  const invented = function* (): Generator<NewEntry> {
    for (let number = 0; number < chapters; number++) {
      const which = number % sets.length;
      const inventor = inventors[which];
      const set = sets[which];
      if (inventor === undefined || set === undefined) return;
      const title = inventor.title();
      const text = inventor.text(passagesPerEntry * charactersPerPassage);
      yield entryOf(acme, { id: '', title, text }, set.language);
    }
  };
  const real = sets.flatMap((set) =>
    // Its name is kept where an upload's place in its document stands.
    set.passages.map((passage) => ({
      ...entryOf(acme, passage, set.language),
      document: `${set.language} ${passage.id}`,
    })),
  );
  const between = Math.max(1, Math.floor(chapters / (real.length + 1)));
  let batch: NewEntry[] = [];
  let count = 0;
  const flush = async () => {
    const entries = batch;
    batch = [];
    await inTransaction(test.app, (app) => addEntries(app, entries));
  };
  for (const entry of invented()) {
    batch.push(entry);
    if (++count % between === 0) batch.push(...real.splice(0, 1));
    if (batch.length >= entriesPerTransaction) await flush();
  }
  batch.push(...real);
  await flush();
  await buildRawIndex(test.app);
}

async function ownEntries({ app }: TestApp): Promise<Map<string, number>> {
  const rows: { id: number; source_document: string }[] = await app.db
    .read('knowledge_entries')
    .whereNotNull('source_document')
    .select('id', 'source_document');
  return new Map(rows.map((row) => [row.source_document, row.id]));
}

async function entriesOfPassages({ app }: TestApp): Promise<Map<number, number>> {
  const rows: {
    id: number;
    entry_id: number;
  }[] = await app.db.read('passages').select('id', 'entry_id');
  return new Map(rows.map((row) => [row.id, row.entry_id]));
}

/** What the index depends on: the texts, and the code that makes it of them. */
function fingerprint(
  sets: readonly QuestionSet[],
  samples: ReadonlyMap<string, string>,
  size: number,
): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([size, sets.map((set) => set.passages), [...samples]]));
  const root = packageRoot();
  const folders = ['src/search', 'src/language', 'src/platform/db', 'bench/retrieval'];
  const files = globSync(
    folders.map((folder) => `dist/${folder}/**/*.js`),
    { cwd: root },
  );
  for (const file of files.sort()) hash.update(readFileSync(join(root, file)));
  return `${hash.digest('hex').slice(0, 16)}.sqlite`;
}
