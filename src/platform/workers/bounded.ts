import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../errors.js';

/** Work of which only so much runs at once; the rest waits in order, and what comes beyond that is refused. */
export interface Bounded {
  /**
   * Lines take turns, so that a long one does not hold up the others; without a name all is in one line. Refuses with
   * `rate_limited` when too many wait in the same line already.
   */
  run<T>(work: () => Promise<T>, line?: string): Promise<T>;
}

interface Limits {
  atOnce: number;
  /** In each line. */
  waiting: number;
  /** How long a place stays empty after work that took so many milliseconds, so that others have the processor. */
  rest?: (tookMs: number) => Promise<void>;
}

/** A rest of so many times what the work took. */
export function restFor(times: number): (tookMs: number) => Promise<void> {
  return (tookMs) => wait(times * tookMs);
}

export function createBounded({ atOnce, waiting, rest }: Limits): Bounded {
  // Those in which somebody waits; the first one has the next turn.
  const lines = new Map<string, (() => void)[]>();
  let running = 0;
  const leave = () => {
    const [first] = lines;
    if (first === undefined) {
      running--;
      return;
    }
    const [name, [next, ...others]] = first;
    lines.delete(name);
    if (others.length > 0) lines.set(name, others);
    next?.();
  };
  return {
    async run(work, name = '') {
      const line = lines.get(name) ?? [];
      if (running < atOnce) running++;
      else if (line.length >= waiting) throw tooMany();
      // A finished task hands its place on: no later one can take it.
      else await new Promise<void>((resolve) => lines.set(name, [...line, resolve]));
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

function tooMany(): AppError {
  const sentence = 'Too much of this is asked for at the moment. Try again in a second.';
  return new AppError('rate_limited', sentence, { retryAfterSeconds: 1 });
}
