import { setTimeout as wait } from 'node:timers/promises';
import { tooMany } from '../errors.js';

/** Limits how much work runs at once. Further work waits in order, and work beyond the queue is refused. */
export interface Bounded {
  /**
   * Runs `work` in its turn. Lines take turns, so that a long one does not delay the others; work without a name shares
   * one line. Errors: `rate_limited` when too many wait in the same line.
   */
  run<T>(work: () => Promise<T>, line?: string): Promise<T>;
}

interface Limits {
  atOnce: number;
  /** The most waiting requests in each line. */
  waiting: number;
  /** A pause before a place is used again, for work that took so many ms, so that other work gets the processor. */
  rest?: (tookMs: number) => Promise<void>;
}

/** A pause of `times` the duration of the work. */
export function restFor(times: number): (tookMs: number) => Promise<void> {
  return (tookMs) => wait(times * tookMs);
}

export function createBounded({ atOnce, waiting, rest }: Limits): Bounded {
  // The lines with waiting work; the first line has the next turn.
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
      else if (line.length >= waiting) throw tooMany('requests of this kind at once');
      // A finished task gives its place directly to the next one, so that no later task can take it.
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
