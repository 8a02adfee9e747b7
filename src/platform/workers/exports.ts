import { nameOf, type Member } from '../actor.js';
import { createConcurrencyLimit } from '../concurrency-limit.js';
import { tooMany } from '../errors.js';
import { createBounded, type Bounded } from './bounded.js';

declare module '../app.js' {
  interface App {
    exports: Exports;
  }
}

/** The exports under way in this process. */
export interface Exports {
  /**
   * Takes the only place of a person, so that nobody makes all others wait. The returned function frees it. Refuses with
   * `rate_limited` while an export of the same person runs.
   */
  begin(by: Member): () => void;
  /** Exports that hold all their data in memory: one at a time. Organizations take turns. */
  inMemory: Bounded;
}

export function createExports(): Exports {
  const people = createConcurrencyLimit(1);
  return {
    begin(by) {
      const who = `${by.organizationId} ${nameOf(by)}`;
      if (!people.take(who)) throw tooMany('exports at once: one that you asked for is being made');
      return () => people.leave(who);
    },
    inMemory: createBounded({ atOnce: 1, waiting: 20 }),
  };
}
