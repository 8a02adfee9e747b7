import { deserialize, serialize } from 'node:v8';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Sections per buffer. Deserialising one buffer takes the main thread about a millisecond. */
const batchSize = 40;

/** Sections in buffers that a thread can hand over without a copy. */
export function packSections(sections: readonly object[]): Uint8Array[] {
  const batches: Uint8Array[] = [];
  for (let at = 0; at < sections.length; at += batchSize) {
    batches.push(serialize(sections.slice(at, at + batchSize)));
  }
  return batches;
}

/** Unpacks batch by batch, so that a long manual does not block the server's other work. */
export async function unpackSections<Section>(batches: readonly Uint8Array[]): Promise<Section[]> {
  const sections: Section[] = [];
  for (const batch of batches) {
    sections.push(...(deserialize(batch) as Section[]));
    await nextTurn();
  }
  return sections;
}
