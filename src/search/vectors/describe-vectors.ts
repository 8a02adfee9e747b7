import type { App } from '../../platform/app.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { Generation } from './generation.js';
import { listGenerations } from './generations.repository.js';
import { fitsInMemory } from './vector-memory.js';
import { countPassagesTo } from './vectors.repository.js';
import { readWork } from './work-lease.repository.js';

/** The state of the vectors. It counts all organizations' passages, because the index is the installation's. */
export interface VectorsReport {
  /** The configured model; null for none. */
  wanted: string | null;
  /** `inMemory`: the codes of its vectors fit into search.vector_memory_mb. */
  generations: (Generation & { embedded: number; passages: number; inMemory: boolean })[];
  /** True when a process embeds passages now. */
  running: boolean;
  failure: string | null;
}

/** As describeVectors, for an actor. Refuses an actor who may not administer. */
export async function readVectors(app: App, actor: Actor): Promise<VectorsReport> {
  requirePermission(actor, 'administer');
  return describeVectors(app);
}

export async function describeVectors(
  app: Pick<App, 'db' | 'clock' | 'config'>,
): Promise<VectorsReport> {
  const generations: VectorsReport['generations'] = [];
  for (const generation of await listGenerations(app)) {
    const { total, done } = await countPassagesTo(app, generation.embeddedTo);
    const inMemory = fitsInMemory(app, done, generation.dimension);
    generations.push({ ...generation, embedded: done, passages: total, inMemory });
  }
  const model = app.config.ollama.embedding_model;
  return {
    wanted: model === '' ? null : model,
    generations,
    ...(await readWork(app)),
  };
}
