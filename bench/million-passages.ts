import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { addEntries } from '../src/knowledge/store-entries.js';
import type { App } from '../src/platform/app.js';
import { countOf } from '../src/platform/db/select-page.js';
import { inTransaction } from '../src/platform/db/in-transaction.js';
import { packageRoot } from '../src/platform/package-root.js';
import type { SearchScope } from '../src/search/passages/scope.js';
import { writeSegments } from '../src/search/term-index/write-segments.js';
import type { Generation } from '../src/search/vectors/generation.js';
import {
  advanceGeneration,
  changeState,
  findLiveGeneration,
  insertGeneration,
} from '../src/search/vectors/generations.repository.js';
import { saveTrust } from '../src/search/vectors/trust.repository.js';
import { insertVectors } from '../src/search/vectors/vectors.repository.js';
import type { TestOrganization } from '../test/support/test-app.js';
import { createRandom, type Random } from './random.js';
import { inventText } from './retrieval/invent-text.js';
import { sampleEntry } from './sample-entries.js';

export const dimension = 768;
/** Invented texts are stored so many times each: to analyse a text takes a millisecond, to copy it a tenth. */
const copies = 20;
const passagesPerEntry = 8;
const charactersPerPassage = 730;
const entriesPerTransaction = 100;
const vectorsPerTransaction = 5000;
/** Subjects that the passages are about: vectors of a real model stand in clusters too. */
const subjects = 400;

/** An organization's passages as its visitors search them. */
export function scopeOf({ operator, appId }: TestOrganization): SearchScope {
  return { organizationId: operator.organizationId, appId, tiers: ['public'] };
}

/** About `size` published passages of an organization, with the words of the manuals and 400,000 rare ones. */
export async function addPassages(
  app: App,
  acme: TestOrganization,
  size: number,
  times = copies,
): Promise<void> {
  const { organizationId } = acme.operator;
  const sources = globSync(['docs/*.md', 'docs/manual/*.en.md'], { cwd: packageRoot() }).sort();
  const sample = sources
    .map((file) => readFileSync(join(packageRoot(), file), 'utf8'))
    .join('\n\n');
  const inventor = inventText(sample, organizationId);
  const entries = Math.ceil(size / times / passagesPerEntry);
  for (let start = 0; start < entries; start += entriesPerTransaction) {
    const number = Math.min(entriesPerTransaction, entries - start);
    const slice = Array.from({ length: number }, (_, at) => ({
      ...sampleEntry(acme, start + at, null),
      title: inventor.title(),
      content: inventor.text(passagesPerEntry * charactersPerPassage),
    }));
    await inTransaction(app, (app) => addEntries(app, slice));
  }
  await copyPassages(app, organizationId, times - 1);
}

/** Stores an organization's passages up to an id so many times more. Words are not added: the vocabulary has them. */
async function copyPassages(app: App, organizationId: number, times: number): Promise<void> {
  const own = { organization_id: organizationId };
  const { first, last } = (await app.db
    .read('passages')
    .where(own)
    .min({ first: 'id' })
    .max({ last: 'id' })
    .first()) as { first: number; last: number };
  const row = (await app.db.read('passages').first()) as Record<string, unknown>;
  const columns = Object.keys(row)
    .filter((name) => name !== 'id')
    .join();
  for (let time = 1; time <= times; time++) {
    const by = time * (last - first + 1);
    await inTransaction(app, async (app) => {
      const insert = (sql: string) => app.db.write.raw(sql, [by, first, last]);
      await insert(`insert into passages (id, ${columns})
        select id + ?, ${columns} from passages where id between ? and ?`);
      await insert(`insert into passage_features (passage_id, features)
        select passage_id + ?, features from passage_features where passage_id between ? and ?`);
      await writeSegments(app, organizationId);
    });
  }
}

export interface DrawnVectors {
  generation: Generation;
  /** A vector like those of the passages, of length 1. */
  draw: () => Float32Array;
}

/** Vectors for all passages, of a model that the vectors of questions are drawn for too. */
export async function addVectors(
  app: App,
  model: { model: string; digest: string },
  organizations: readonly TestOrganization[],
): Promise<DrawnVectors> {
  const draw = drawer(createRandom(7));
  await insertGeneration(app, { ...model, dimension, passagePrefix: '' });
  await changeState(app, 1, 'live');
  const generation = await findLiveGeneration(app);
  if (generation === undefined) throw new Error('there is no generation');
  const ids = (await app.db.read('passages').orderBy('id').pluck('id')) as number[];
  for (let start = 0; start < ids.length; start += vectorsPerTransaction) {
    const slice = ids.slice(start, start + vectorsPerTransaction);
    const vectors = slice.map((passageId) => ({ passageId, vector: draw() }));
    await inTransaction(app, (app) => insertVectors(app, generation, vectors));
  }
  await inTransaction(app, async (app) => {
    await advanceGeneration(app, generation.id, ids.at(-1) ?? 0, 0);
    for (const { operator } of organizations) {
      const { organizationId } = operator;
      const owner = { generationId: generation.id, organizationId, visibility: 'public' as const };
      const passages = await countOf(
        app.db.read('passages').where({ organization_id: organizationId }),
      );
      await saveTrust(app, owner, { byLanguage: { en: 0.5 }, passages });
    }
  });
  return { generation: { ...generation, embeddedTo: ids.at(-1) ?? 0 }, draw };
}

/** Vectors of length 1 around those of some subjects. */
function drawer(random: Random): () => Float32Array {
  // A step through a table of normal numbers takes a fiftieth of making them.
  const normal = Float32Array.from(
    { length: 2 ** 16 },
    () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  );
  const some = () => {
    let at = Math.floor(random() * normal.length);
    const step = 1 + 2 * Math.floor(random() * 1000);
    return new Float32Array(dimension).map(() => normal[(at += step) % normal.length] ?? 0);
  };
  const around = Array.from({ length: subjects }, some);
  return () => {
    const subject = around[Math.floor(random() * subjects)] ?? some();
    const vector = some();
    let sum = 0;
    for (let at = 0; at < dimension; at++) {
      const value = 0.8 * (subject[at] ?? 0) + (vector[at] ?? 0);
      vector[at] = value;
      sum += value * value;
    }
    const length = Math.sqrt(sum);
    return vector.map((value) => value / length);
  };
}
