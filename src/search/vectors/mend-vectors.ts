import type { Store, WithDb } from '../../platform/app.js';
import type { Generation } from './generation.js';
import { countMend, listGenerations, takeBackTo } from './generations.repository.js';
import {
  countUnusable,
  countWithoutCode,
  deleteUnusable,
  findUnembedded,
  makeMissingCodes,
  vectorTables,
} from './vectors.repository.js';

/** Vectors that searches can't use or miss, in sentences. */
export async function findVectorFaults(app: WithDb): Promise<string[]> {
  const faults: string[] = [];
  for (const table of vectorTables) {
    const number = await countUnusable(app, table);
    if (number > 0) faults.push(`${number} rows of ${table} belong to nothing, or are damaged`);
  }
  const uncoded = await countWithoutCode(app);
  if (uncoded > 0) faults.push(`${uncoded} vectors lack their code, so no search finds them`);
  for (const { generation, number } of await listIncomplete(app)) {
    faults.push(`${number} passages have lost their vector of ${generation.model}`);
  }
  return faults;
}

/**
 * Deletes vectors that searches can't use, makes codes from vectors, and has lost vectors made again by the next
 * `embedDuePassages`. Run it in a transaction. Returns what it did, in sentences.
 */
export async function mendVectors(app: Store): Promise<string[]> {
  const done: string[] = [];
  // First the vectors: the codes of deleted ones are unusable too.
  for (const table of vectorTables) {
    const number = await deleteUnusable(app, table);
    if (number > 0) done.push(`deleted ${number} unusable rows of ${table}`);
  }
  const made = await makeMissingCodes(app);
  if (made > 0) done.push(`made the codes of ${made} vectors`);
  for (const { generation, first, number } of await listIncomplete(app)) {
    await takeBackTo(app, generation.id, first - 1);
    done.push(
      `${number} passages get their vector of ${generation.model} again: assistant serve and assistant worker make it, or at once: assistant reindex`,
    );
  }
  if (done.length > 0) await countMend(app);
  return done;
}

/** The generations that lack more vectors than their model refused. */
async function listIncomplete(
  app: WithDb,
): Promise<{ generation: Generation; first: number; number: number }[]> {
  const incomplete: { generation: Generation; first: number; number: number }[] = [];
  for (const generation of await listGenerations(app)) {
    // Vectors of discarded generations are being deleted.
    if (generation.state === 'discarded') continue;
    const { first, number } = await findUnembedded(app, generation);
    if (number > generation.refused) incomplete.push({ generation, first, number });
  }
  return incomplete;
}
