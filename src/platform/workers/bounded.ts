import { AppError } from '../errors.js';

/** Work of which only so much runs at once; the rest waits in order, and what comes beyond that is refused. */
export interface Bounded {
  /** Refuses with `rate_limited` when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createBounded(limits: { atOnce: number; waiting: number }): Bounded {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < limits.atOnce) running++;
      else if (queue.length >= limits.waiting) throw tooMany();
      // A finished task hands its place on: no later one can take it.
      else await new Promise<void>((resolve) => queue.push(resolve));
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}

function tooMany(): AppError {
  const sentence = 'Too much of this is asked for at the moment. Try again in a second.';
  return new AppError('rate_limited', sentence, { retryAfterSeconds: 1 });
}
