import type { App } from '../../platform/app.js';
import { decodeFeatures, type TermFeatures } from '../../platform/text/term-features.js';
import { readFeatures } from '../passages.repository.js';

/** Bytes of features that are remembered for each database: of some 10,000 passages, those that are asked for most. */
const mostBytes = 32 * 1024 * 1024;

interface Memory {
  bytes: number;
  /** The one asked for the longest ago comes first. */
  features: Map<number, { size: number; features: TermFeatures }>;
}

const memories = new WeakMap<App['db'], Memory>();

/**
 * What passages are scored by, by their number. A passage never changes and its number is never used again, so that
 * what was read once stays true.
 */
export async function recallFeatures(
  app: Pick<App, 'db'>,
  ids: readonly number[],
): Promise<Map<number, TermFeatures>> {
  const memory: Memory = memories.get(app.db) ?? { bytes: 0, features: new Map() };
  memories.set(app.db, memory);
  const recalled = new Map<number, TermFeatures>();
  const missing: number[] = [];
  for (const id of ids) {
    const known = memory.features.get(id);
    if (known === undefined) missing.push(id);
    else {
      memory.features.delete(id);
      memory.features.set(id, known);
      recalled.set(id, known.features);
    }
  }
  if (missing.length === 0) return recalled;
  for (const { id, features } of await readFeatures(app, missing)) {
    const decoded = decodeFeatures(features);
    recalled.set(id, decoded);
    remember(memory, id, decoded, features.length);
  }
  return recalled;
}

function remember(memory: Memory, id: number, features: TermFeatures, size: number): void {
  // Another search may have read it meanwhile.
  if (memory.features.has(id)) return;
  memory.features.set(id, { size, features });
  memory.bytes += size;
  for (const [oldest, { size: freed }] of memory.features) {
    if (memory.bytes <= mostBytes) break;
    memory.features.delete(oldest);
    memory.bytes -= freed;
  }
}
