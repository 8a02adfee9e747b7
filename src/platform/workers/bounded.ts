import { setTimeout as wait } from 'node:timers/promises';
import { tooMany } from '../errors.js';

/** Work of which only so much runs at once; the rest waits in order, and what comes beyond that is refused. */
export interface Bounded {
  /** Refuses with `rate_limited` when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

interface Limits {
  atOnce: number;
  waiting: number;
  /** How long a place stays empty after work that took so many milliseconds, so that others have the processor. */
  rest?: (tookMs: number) => Promise<void>;
}

/** A rest of so many times what the work took. */
export function restFor(times: number): (tookMs: number) => Promise<void> {
  return (tookMs) => wait(times * tookMs);
}

export function createBounded({ atOnce, waiting, rest }: Limits): Bounded {
  const queue: (() => void)[] = [];
  let running = 0;
  const leave = () => {
    const next = queue.shift();
    if (next === undefined) running--;
    else next();
  };
  return {
    async run(work) {
      if (running < atOnce) running++;
      else if (queue.length >= waiting) throw tooMany('requests of this kind at once');
      // A finished task hands its place on: no later one can take it.
      else await new Promise<void>((resolve) => queue.push(resolve));
      const started = performance.now();
      try {
        return await work();
      } finally {
        if (rest === undefined) leave();
        else void rest(performance.now() - started).then(leave);
      }
    },
  };
}
