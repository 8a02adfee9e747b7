import type { App } from '../platform/app.js';
import { decodeStems } from '../platform/text/stem-codes.js';
import { readStems } from './passages.repository.js';

/** Uint32s of one block, and blocks remembered for each database: 64 MB, some 170,000 passages of 90 stems. */
const blockSize = 1 << 20;
const mostBlocks = 16;
/** Passages read at once: a few milliseconds, in which nobody else is served. */
const readAtOnce = 1000;

interface Block {
  data: Uint32Array;
  used: number;
  ids: number[];
}

/** Where the stems of a passage stand: `data[start]` is its length in terms, its stems follow up to `end`. */
export interface Stems {
  data: Uint32Array;
  start: number;
  end: number;
}

interface Memory {
  /** Oldest first. */
  blocks: Block[];
  places: Map<number, Stems>;
}

const memories = new WeakMap<App['db'], Memory>();

/**
 * The stems of passages, by their number. Those read before are remembered: a passage never changes and its number is
 * never used again, so that nothing here grows stale, whoever else writes; a transaction, which may be undone, has a
 * memory of its own. Undefined for a passage that is gone.
 */
export async function recallStems(
  app: Pick<App, 'db'>,
  ids: readonly number[],
): Promise<(Stems | undefined)[]> {
  const memory = memories.get(app.db) ?? { blocks: [], places: new Map<number, Stems>() };
  memories.set(app.db, memory);
  const recalled = ids.map((id) => memory.places.get(id));
  if (!recalled.includes(undefined)) return recalled;
  const missing = ids.filter((_, index) => recalled[index] === undefined);
  const read = new Map<number, Stems>();
  for (let start = 0; start < missing.length; start += readAtOnce) {
    for (const { id, stems } of await readStems(app, missing.slice(start, start + readAtOnce))) {
      read.set(id, remember(memory, id, decodeStems(stems)));
    }
  }
  return ids.map((id, index) => recalled[index] ?? read.get(id));
}

function remember({ blocks, places }: Memory, id: number, stems: Uint32Array): Stems {
  // Another search may have read it meanwhile. What does not fit into a block is read each time.
  const known = places.get(id);
  if (known !== undefined) return known;
  if (stems.length > blockSize) return { data: stems, start: 0, end: stems.length };
  let block = blocks.at(-1);
  if (block === undefined || block.used + stems.length > blockSize) {
    block = { data: new Uint32Array(blockSize), used: 0, ids: [] };
    blocks.push(block);
    if (blocks.length > mostBlocks) for (const old of blocks.shift()?.ids ?? []) places.delete(old);
  }
  const place = { data: block.data, start: block.used, end: block.used + stems.length };
  block.data.set(stems, block.used);
  block.used = place.end;
  block.ids.push(id);
  places.set(id, place);
  return place;
}
