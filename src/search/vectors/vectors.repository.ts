import type { WithDb } from '../../platform/app.js';
import type { Generation } from './generation.js';
import { fromBlob, signsOf, toBlob, toWords } from './vector-code.js';
import { countOf } from '../../platform/db/select-page.js';

export interface PassageText {
  id: number;
  title: string;
  body: string;
}

/** Codes of some passages' vectors, ordered by passage id; `wordsFor` gives the words per code. */
export interface CodeBlock {
  ids: Uint32Array;
  codes: Int32Array;
}

/** Rows per insert: well below the limit of bound parameters. */
const rowsPerInsert = 40;
const idsPerQuery = 500;

/** The passages after an id, by id; including drafts, so that they are found once published. */
export async function listPassagesAfter(
  app: WithDb,
  id: number,
  limit: number,
): Promise<PassageText[]> {
  return app.db
    .read<PassageText>('passages')
    .where('id', '>', id)
    .orderBy('id')
    .limit(limit)
    .select('id', 'title', 'body');
}

/** The id of the newest passage; 0 when there is none. */
export async function newestPassage(app: WithDb): Promise<number> {
  const row = (await app.db.read('passages').max({ id: 'id' }).first()) as { id: number | null };
  return row.id ?? 0;
}

/** The number of all passages, and of those up to an id. */
export async function countPassagesTo(
  app: WithDb,
  id: number,
): Promise<{ total: number; done: number }> {
  const total = await countOf(app.db.read('passages'));
  return { total, done: await countOf(app.db.read('passages').where('id', '<=', id)) };
}

/** Stores vectors, except those of deleted passages or passages that have one. Runs inside the caller's transaction. */
export async function insertVectors(
  app: WithDb,
  generation: Generation,
  vectors: { passageId: number; vector: Float32Array }[],
): Promise<void> {
  for (let start = 0; start < vectors.length; start += rowsPerInsert) {
    const slice = vectors.slice(start, start + rowsPerInsert);
    const ids = slice.map(({ passageId }) => passageId);
    const present = (await app.db.write('passages').whereIn('id', ids).pluck('id')) as number[];
    const kept = slice.filter(({ passageId }) => present.includes(passageId));
    if (kept.length === 0) continue;
    const key = ({ passageId }: { passageId: number }) => ({
      passage_id: passageId,
      generation_id: generation.id,
    });
    const insert = (table: string, rows: object[]) =>
      app.db.write(table).insert(rows).onConflict(['passage_id', 'generation_id']).ignore();
    await insert(
      'passage_vectors',
      kept.map((row) => ({ ...key(row), vector: toBlob(row.vector) })),
    );
    await insert(
      'passage_vector_codes',
      kept.map((row) => ({ ...key(row), code: signsOf(row.vector) })),
    );
  }
}

/** Deletes some vectors of a generation and returns their number; 0 when none is left. */
export async function deleteSomeVectors(
  app: WithDb,
  generationId: number,
  limit: number,
): Promise<number> {
  const ids = (await app.db
    .write('passage_vectors')
    .where({ generation_id: generationId })
    .limit(limit)
    .pluck('passage_id')) as number[];
  for (let start = 0; start < ids.length; start += idsPerQuery) {
    const slice = ids.slice(start, start + idsPerQuery);
    for (const table of ['passage_vectors', 'passage_vector_codes']) {
      await app.db
        .write(table)
        .where({ generation_id: generationId })
        .whereIn('passage_id', slice)
        .delete();
    }
  }
  return ids.length;
}

export async function countVectors(app: WithDb, generationId: number): Promise<number> {
  return countOf(app.db.read('passage_vectors').where({ generation_id: generationId }));
}

/** The codes of passages after an id, as far as the generation is embedded. */
export async function readCodes(
  app: WithDb,
  { id, dimension, embeddedTo }: Generation,
  after: number,
  limit: number,
): Promise<CodeBlock> {
  const range = { after, upTo: embeddedTo, limit };
  const { ids, codes } = await app.db.dialect.readVectorCodes(app.db.read, id, range);
  return { ids: Uint32Array.from(ids), codes: toWords(codes, dimension) };
}

/** The codes of some passages. */
export async function readCodesOf(
  app: WithDb,
  { id, dimension }: Generation,
  passageIds: readonly number[],
): Promise<CodeBlock> {
  const { read, dialect } = app.db;
  const rows: { id: number; code: Buffer }[] = await read('passage_vector_codes')
    .where('generation_id', id)
    .where(dialect.isAmong(read, 'passage_id', passageIds))
    .orderBy('passage_id')
    .select('passage_id as id', 'code');
  const codes = Buffer.concat(rows.map(({ code }) => code));
  return { ids: Uint32Array.from(rows, (row) => row.id), codes: toWords(codes, dimension) };
}

/** The vectors of passages (possibly thousands), in no order. */
export async function readVectors(
  app: WithDb,
  generationId: number,
  ids: readonly number[],
): Promise<{ id: number; vector: Float32Array }[]> {
  const { read, dialect } = app.db;
  const rows: { id: number; vector: Buffer }[] = await read('passage_vectors')
    .where('generation_id', generationId)
    .where(dialect.isAmong(read, 'passage_id', ids))
    .select('passage_id as id', 'vector');
  return rows.map(({ id, vector }) => ({ id, vector: fromBlob(vector) }));
}

/** The first passage up to an id that has no vector in the generation, and the number of such passages. */
export async function findUnembedded(
  app: WithDb,
  { id, embeddedTo }: Generation,
): Promise<{ first: number; number: number }> {
  const row = (await app.db
    .read('passages as p')
    .leftJoin('passage_vectors as v', (on) =>
      on.on('v.passage_id', 'p.id').andOnVal('v.generation_id', id),
    )
    .where('p.id', '<=', embeddedTo)
    .whereNull('v.id')
    .min({ first: 'p.id' })
    .count({ number: '*' })
    .first()) as { first: number | null; number: number };
  return { first: row.first ?? 0, number: row.number };
}

/** Vectors and codes that searches can't use; each is a condition on its table. */
const unusable = {
  passage_vectors: `not exists (select 1 from embedding_models as m
    where m.id = passage_vectors.generation_id and length(passage_vectors.vector) = 4 * m.dimension)`,
  // The codes' columns for generation and vector are no foreign keys.
  passage_vector_codes: `not exists (select 1 from passage_vectors as v
    join embedding_models as m on m.id = v.generation_id
    where v.passage_id = passage_vector_codes.passage_id
      and v.generation_id = passage_vector_codes.generation_id
      and length(passage_vector_codes.code) = (m.dimension + 7) / 8)`,
};

type VectorTable = keyof typeof unusable;
export const vectorTables = Object.keys(unusable) as VectorTable[];

/** The number of vectors or codes without their generation, without each other, or of a wrong length. */
export async function countUnusable(app: WithDb, table: VectorTable): Promise<number> {
  return countOf(app.db.read(table).whereRaw(unusable[table]));
}

export async function deleteUnusable(app: WithDb, table: VectorTable): Promise<number> {
  return app.db.write(table).whereRaw(unusable[table]).delete();
}

/** The vectors without a code, which is made of the vector. */
const withoutCode = `not exists (select 1 from passage_vector_codes as c
  where c.passage_id = passage_vectors.passage_id and c.generation_id = passage_vectors.generation_id)`;

export async function countWithoutCode(app: WithDb): Promise<number> {
  return countOf(app.db.read('passage_vectors').whereRaw(withoutCode));
}

export async function makeMissingCodes(app: WithDb): Promise<number> {
  for (let made = 0; ;) {
    const rows: { passage_id: number; generation_id: number; vector: Buffer }[] = await app.db
      .write('passage_vectors')
      .whereRaw(withoutCode)
      .limit(idsPerQuery)
      .select('passage_id', 'generation_id', 'vector');
    const codes = rows.map(({ vector, ...key }) => ({ ...key, code: signsOf(fromBlob(vector)) }));
    if (codes.length === 0) return made;
    await app.db.write.batchInsert('passage_vector_codes', codes, rowsPerInsert);
    made += codes.length;
  }
}
