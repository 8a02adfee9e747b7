import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { insertRow } from '../../platform/db/insert-row.js';
import type { Generation, GenerationState } from './generation.js';

interface GenerationRow {
  id: number;
  model: string;
  digest: string;
  dimension: number;
  passage_prefix: string;
  state: GenerationState;
  embedded_to: number;
  refused: number;
  created_at: string;
}

type Store = Pick<App, 'db' | 'clock'>;

/** All generations, oldest first. They belong to the installation, not to an organization. */
export async function listGenerations(app: Pick<App, 'db'>): Promise<Generation[]> {
  const rows = await app.db.read<GenerationRow>('embedding_models').orderBy('id');
  return rows.map(toGeneration);
}

export async function findLiveGeneration(app: Pick<App, 'db'>): Promise<Generation | undefined> {
  const row = await app.db.read<GenerationRow>('embedding_models').where({ state: 'live' }).first();
  return row === undefined ? undefined : toGeneration(row);
}

export async function insertGeneration(
  app: Store,
  generation: Pick<Generation, 'model' | 'digest' | 'dimension' | 'passagePrefix'>,
): Promise<void> {
  const now = timestamp(app.clock);
  await insertRow(app.db.write, 'embedding_models', {
    model: generation.model,
    digest: generation.digest,
    dimension: generation.dimension,
    passage_prefix: generation.passagePrefix,
    state: 'building',
    created_at: now,
    updated_at: now,
  });
}

export async function changeState(app: Store, id: number, state: GenerationState): Promise<void> {
  await update(app, id, { state });
}

/** The same model now has another name. */
export async function renameGeneration(app: Store, id: number, model: string): Promise<void> {
  await update(app, id, { model });
}

export async function advanceGeneration(
  app: Store,
  id: number,
  embeddedTo: number,
  refused: number,
): Promise<void> {
  await app.db.write('embedding_models').where({ id }).increment('refused', refused);
  await update(app, id, { embedded_to: embeddedTo });
}

export async function deleteGeneration(app: Store, id: number): Promise<void> {
  await app.db.write('embedding_models').where({ id }).delete();
}

async function update(app: Store, id: number, columns: Record<string, unknown>): Promise<void> {
  await app.db
    .write('embedding_models')
    .where({ id })
    .update({ ...columns, updated_at: timestamp(app.clock) });
}

function toGeneration(row: GenerationRow): Generation {
  return {
    id: row.id,
    model: row.model,
    digest: row.digest,
    dimension: row.dimension,
    passagePrefix: row.passage_prefix,
    state: row.state,
    embeddedTo: row.embedded_to,
    refused: row.refused,
    createdAt: row.created_at,
  };
}
