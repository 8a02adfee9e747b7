import { LRUCache } from 'lru-cache';
import type { App } from '../../src/platform/app.js';

/** The app as another server on the same database has it: without what the memory of this process holds. */
export function asOtherServer<A extends App>(app: A): A {
  return {
    ...app,
    counters: { ...app.counters },
    runningAnswers: new Map(),
    cancelledElsewhere: new LRUCache({ max: 10 }),
  };
}
