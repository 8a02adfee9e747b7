/** An event with its number. Numbers count up from 1 within a log. */
export interface Logged<T> {
  id: number;
  event: T;
}

/** Keeps all events in order, so that a reader who comes late or returns misses none. */
export interface EventLog<T> {
  append(event: T): void;
  /** Ends the log: readers stop after the last event. */
  end(): void;
  /**
   * Returns the events after number `after`, including future ones; without `after`, all events. Several readers may
   * read at a time. `return()` ends a reader at once, even while it waits.
   */
  read(after?: number): AsyncIterableIterator<Logged<T>, undefined>;
}

/** Calls `onReaders` with the number of readers whenever a reader starts or stops. */
export function createEventLog<T>(
  onReaders: (count: number) => void = () => undefined,
): EventLog<T> {
  const events: T[] = [];
  const waiting = new Set<() => void>();
  let readers = 0;
  let ended = false;
  const wake = () => {
    const all = [...waiting];
    waiting.clear();
    all.forEach((go) => go());
  };

  function read(after = 0): AsyncIterableIterator<Logged<T>, undefined> {
    let next = Number.isInteger(after) && after > 0 && after <= events.length ? after : 0;
    let state: 'new' | 'reading' | 'left' = 'new';
    const leave = () => {
      if (state === 'reading') readers -= 1;
      if (state !== 'left') onReaders(readers);
      state = 'left';
    };
    const over = { done: true, value: undefined } as const;
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      async next() {
        if (state === 'new') {
          state = 'reading';
          onReaders((readers += 1));
        }
        while (state === 'reading' && next >= events.length && !ended) {
          await new Promise<void>((resolve) => waiting.add(resolve));
        }
        if (state !== 'reading' || next >= events.length) {
          leave();
          return over;
        }
        next += 1;
        return { done: false, value: { id: next, event: events[next - 1] as T } };
      },
      return() {
        leave();
        wake();
        return Promise.resolve(over);
      },
    };
  }

  return {
    append(event) {
      events.push(event);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    read,
  };
}
