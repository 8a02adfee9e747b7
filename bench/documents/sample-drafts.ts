import { groupBy } from '../../src/platform/group-by.js';
import { createRandom, type Random } from '../random.js';
import type { Draft } from './drafts.js';

/**
 * Draws `count` drafts, the same ones for the same seed and drafts. The files take turns: a manual of a thousand pages
 * counts no more than a leaflet.
 */
export function sampleDrafts(drafts: readonly Draft[], count: number, seed: number): Draft[] {
  const random = createRandom(seed);
  const files = [...groupBy(drafts, (draft) => draft.sha256).values()];
  const queues = shuffle(files, random).map((file) => shuffle(file, random));
  return takeTurns(queues).slice(0, count);
}

/** The first of each queue, then the second of each, until all are empty. */
function takeTurns<T>(queues: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...queues.map((queue) => queue.length));
  return Array.from({ length: longest }, (_, turn) =>
    queues.flatMap((queue) => queue.slice(turn, turn + 1)),
  ).flat();
}

function shuffle<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
