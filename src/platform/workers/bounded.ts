import { setTimeout as wait } from 'node:timers/promises';
import { tooMany } from '../errors.js';

/** Limits how much work runs at once. Further work waits in order, and work beyond the queue is refused. */
export interface Bounded {
  /** Refuses with `rate_limited` when too many tasks already wait. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

interface Limits {
  atOnce: number;
  waiting: number;
  /** A pause before a place is used again, for work that took so many ms, so that other work gets the processor. */
  rest?: (tookMs: number) => Promise<void>;
}

/** A pause of `times` the duration of the work. */
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
      // A finished task gives its place directly to the next one, so that no later task can take it.
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
