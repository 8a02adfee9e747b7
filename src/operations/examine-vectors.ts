import { systemClock } from '../platform/clock.js';
import type { Config } from '../platform/config/schema.js';
import type { Database } from '../platform/db/database.js';
import { describeVectors, type VectorsReport } from '../search/vectors/describe-vectors.js';
import type { Check } from './doctor.schema.js';

const name = 'vectors';

/** Reports the state of the vectors, if an embedding model is or was configured. */
export async function examineVectors(config: Config, db: Database): Promise<Check[]> {
  return judgeVectors(await describeVectors({ config, db, clock: systemClock }));
}

export function judgeVectors(report: VectorsReport): Check[] {
  const { wanted, generations } = report;
  return wanted === null && generations.length === 0 ? [] : [describe(report)];
}

function describe({ wanted, generations, running, failure }: VectorsReport): Check {
  const live = generations.find(({ state }) => state === 'live');
  const building = generations.find(({ state }) => state === 'building');
  const undone = generations.find(({ state }) => state === 'undone');
  const { embedded = 0, passages = 0 } = building ?? live ?? {};
  const values = {
    embedded,
    passages,
    model: live?.model ?? wanted ?? '',
    next: building?.model ?? wanted ?? '',
    refused: live?.refused ?? 0,
    failure: failure ?? '',
  };
  const warning = (code: string, finding: string, remedy: string): Check => {
    return { name, status: 'warning', code, values, finding, remedy };
  };
  if (wanted === null) {
    const finding =
      'there are some, but no embedding model is set: questions are searched by words';
    return warning(
      'vectors_unused',
      finding,
      'Set ollama.embedding_model to the model of: assistant reindex --status',
    );
  }
  const goOn = 'assistant serve and assistant worker do it, or at once: assistant reindex';
  if (failure !== null) {
    return warning('vectors_failed', `the last attempt failed: ${failure}`, `Then ${goOn}`);
  }
  if (live === undefined) {
    const so = building === undefined ? 'no passage has one yet' : `${covered(building)} have one`;
    const finding = `${so}: questions are searched by words until all have`;
    return warning('no_vectors', finding, `Wait: ${goOn}`);
  }
  if (building !== undefined) {
    const finding = `${covered(building)} have one of ${building.model}; those of ${live.model} serve until all have`;
    return warning('vectors_building', finding, `Wait: ${goOn}`);
  }
  const finding = `${covered(live)} have one of ${live.model}${refusedOf(live)}`;
  if (undone !== undefined && undone.model === wanted) {
    return warning(
      'vectors_undone',
      `${finding}; somebody went back from ${wanted}`,
      'To take it again: assistant reindex',
    );
  }
  if (!live.inMemory) {
    return warning(
      'vectors_on_disk',
      `${finding}; they do not fit into search.vector_memory_mb, so each search reads them from the disk`,
      'Raise search.vector_memory_mb, or accept slower searches.',
    );
  }
  if (live.embedded < live.passages && !running) {
    return warning('vectors_wait', finding, `Wait: ${goOn}`);
  }
  const code = live.refused === 0 ? 'vectors' : 'vectors_refused';
  return { name, status: 'ok', code, values, finding };
}

type Coverage = VectorsReport['generations'][number];

function covered({ embedded, passages }: Coverage): string {
  return `${embedded} of ${passages} passages`;
}

function refusedOf({ refused }: Coverage): string {
  return refused === 0 ? '' : `, ${refused} of them none since the model fails at their text`;
}
