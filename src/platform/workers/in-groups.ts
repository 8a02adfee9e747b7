interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

export interface Grouping<T> {
  /** How much of the limit an item takes; default: 1. */
  weigh?: (item: T) => number;
  /** The largest weight of a group. A heavier item forms its own group. */
  limit: number;
  /** Called before each group. Resolves when no more items are worth waiting for. `waiting` counts those that wait. */
  gather?: (waiting: () => number) => Promise<void>;
}

/**
 * Groups work that several callers request at the same time: while one group runs, the next one gathers. `work` returns
 * one result per item, in order. If it fails for a group, each item is tried alone, so that no caller gets another
 * one's error.
 */
export function inGroups<T, R>(
  work: (items: T[]) => Promise<R[]>,
  { weigh = () => 1, limit, gather }: Grouping<T>,
): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let isRunning = false;

  function next(): Waiting<T, R>[] {
    let total = 0;
    const over = waiting.findIndex(({ item }, index) => {
      total += weigh(item);
      return index > 0 && total > limit;
    });
    return waiting.splice(0, over === -1 ? waiting.length : over);
  }

  async function settle(group: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await work(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => resolve(results[index] as R));
    } catch (error) {
      const [only] = group;
      if (group.length === 1) only?.reject(error);
      else for (const one of group) await settle([one]);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      await gather?.(() => waiting.length);
      await settle(next());
    }
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void run();
    });
}
