/** So much at a time for each key. */
export interface ConcurrencyLimit {
  /** Takes a place, or as many as `weight` says; false where there are not so many. One alone may weigh anything. */
  take(key: string, weight?: number): boolean;
  leave(key: string, weight?: number): void;
}

/** `most` at a time for each key; 0 sets no limit. Remembers only keys that hold a place. */
export function createConcurrencyLimit(most: number): ConcurrencyLimit {
  const taken = new Map<string, number>();
  return {
    take(key, weight = 1) {
      const sum = taken.get(key) ?? 0;
      if (most > 0 && sum > 0 && sum + weight > most) return false;
      taken.set(key, sum + weight);
      return true;
    },
    leave(key, weight = 1) {
      const sum = (taken.get(key) ?? 0) - weight;
      if (sum > 0) taken.set(key, sum);
      else taken.delete(key);
    },
  };
}
