/** At most `limit` holders at a time; the others wait in the order in which they came. */
export interface RequestQueue {
  /**
   * Waits for a place and gives the function that gives it back (harmless when called twice).
   * Rejects with the signal's reason when it aborts first, and then holds no place in the queue.
   */
  enter(signal: AbortSignal): Promise<() => void>;
  /** Whether someone who enters now has to wait. */
  full(): boolean;
  load(): QueueLoad;
}

/** How many hold a place, and how many wait for one. */
export interface QueueLoad {
  running: number;
  waiting: number;
}

export function createRequestQueue(limit: number): RequestQueue {
  const waiting = new Set<() => void>();
  let held = 0;

  function take(): () => void {
    held += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      held -= 1;
      const next = waiting.values().next();
      if (!next.done) next.value();
    };
  }

  return {
    full: () => held >= limit,
    load: () => ({ running: held, waiting: waiting.size }),
    enter: (signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        if (held < limit) {
          resolve(take());
          return;
        }
        const leave = () => {
          waiting.delete(admit);
          reject(signal.reason as Error);
        };
        const admit = () => {
          waiting.delete(admit);
          signal.removeEventListener('abort', leave);
          resolve(take());
        };
        waiting.add(admit);
        signal.addEventListener('abort', leave, { once: true });
      }),
  };
}
