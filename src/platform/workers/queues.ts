import { type Bounded, createBounded, restFor } from './bounded.js';
import { nameOf, type Member } from '../actor.js';
import { createConcurrencyLimit } from '../concurrency-limit.js';
import { tooMany } from '../errors.js';

declare module '../app.js' {
  interface App {
    queues: Queues;
  }
}

/** Work of this process that waits for its turn, because much of it at once would hold up everything else. */
export interface Queues {
  /** Parses JSON of more than a few kilobytes. A line per sender. */
  largeBodies: Bounded;
  /** Analyses and stores the texts of entries. A line per organization. */
  entryTexts: Bounded;
  /** Reads all that was asked in months, for figures and topics. A line per organization. */
  figures: Bounded;
}

export function createQueues(): Queues {
  return {
    // One after the other, because each waiting body holds up to a megabyte. Others keep three quarters of the time.
    largeBodies: createBounded({ atOnce: 1, waiting: 100, rest: restFor(3) }),
    // One at a time, because other writers wait for those that wait for the database. No text is refused here: the
    // limits of requests bound how many wait.
    entryTexts: createBounded({ atOnce: 1, waiting: Infinity }),
    // One at a time for half of the time: the database has few connections, which the page query and answers need too.
    figures: createBounded({ atOnce: 1, waiting: 50, rest: restFor(1) }),
  };
}

declare module '../app.js' {
  interface App {
    exports: Exports;
  }
}

/** The exports under way in this process. */
interface Exports {
  /**
   * Takes the only place of a person, so that nobody makes all others wait. The returned function frees it. Errors:
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
