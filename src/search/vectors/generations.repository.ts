import type { Store, WithDb } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { insertRow } from '../../platform/db/record.js';
import { generations, type Generation, type GenerationState } from './generation.js';

/** All generations, oldest first. They belong to the installation, not to an organization. */
export async function listGenerations(app: WithDb): Promise<Generation[]> {
  return generations.all(app.db.read('embedding_models').orderBy('id'));
}

export async function findLiveGeneration(app: WithDb): Promise<Generation | undefined> {
  return generations.first(app.db.read('embedding_models').where({ state: 'live' }));
}

export async function insertGeneration(
  app: Store,
  generation: Pick<Generation, 'model' | 'digest' | 'dimension' | 'passagePrefix'>,
): Promise<void> {
  const now = timestamp(app.clock);
  await insertRow(app.db.write, 'embedding_models', {
    ...generations.columns({ ...generation, state: 'building', createdAt: now }),
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

/** Has the passages after an id embedded again where they have no vector. */
export async function takeBackTo(app: Store, id: number, embeddedTo: number): Promise<void> {
  // All passages that the model refused are tried again, and counted again.
  await update(app, id, { embedded_to: embeddedTo, refused: 0 });
}

/** Has all processes read the codes of vectors anew. */
export async function countMend(app: WithDb): Promise<void> {
  await app.db.write('embedding_models').increment('mended');
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
