import type { App } from '../../platform/app.js';
import { requirePermission, visibilities, type Actor } from '../../platform/actor.js';
import type { Generation } from './generation.js';
import { listGenerations } from './generations.repository.js';
import { findTrust } from './trust.repository.js';
import type { Trust } from './trust.js';
import { fitsInMemory } from './vector-memory.js';
import { countPassagesTo } from './vectors.repository.js';
import { readWork } from './work-lease.repository.js';

/**
 * How far the vectors are. Counts are of passages, of all organizations: the index is the installation's. The trust is
 * that of an organization's staff; null where none was asked for or estimated.
 */
export interface VectorsReport {
  /** The configured model; null for none. */
  wanted: string | null;
  /** `inMemory`: the codes of its vectors fit into search.vector_memory_mb. */
  generations: (Generation & {
    embedded: number;
    passages: number;
    inMemory: boolean;
    trust: Trust['byLanguage'] | null;
  })[];
  /** True when a process embeds passages now. */
  running: boolean;
  failure: string | null;
}

/** As describeVectors, for an actor. Refuses an actor who may not administer. */
export async function readVectors(app: App, actor: Actor): Promise<VectorsReport> {
  const { organizationId } = requirePermission(actor, 'administer');
  return describeVectors(app, organizationId);
}

export async function describeVectors(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  organizationId?: number,
): Promise<VectorsReport> {
  const generations: VectorsReport['generations'] = [];
  for (const generation of await listGenerations(app)) {
    const { total, done } = await countPassagesTo(app, generation.embeddedTo);
    const inMemory = fitsInMemory(app, done, generation.dimension);
    const trust =
      organizationId === undefined
        ? undefined
        : await findTrust(app, generation.id, { organizationId, tiers: [...visibilities] });
    const report = { ...generation, embedded: done, passages: total, inMemory };
    generations.push({ ...report, trust: trust?.byLanguage ?? null });
  }
  const model = app.config.ollama.embedding_model;
  return {
    wanted: model === '' ? null : model,
    generations,
    ...(await readWork(app)),
  };
}
