/** Limits how much runs at the same time for each key. */
export interface ConcurrencyLimit {
  /** Takes `weight` places (default 1). Returns false when fewer are free. A single holder may exceed the limit. */
  take(key: string, weight?: number): boolean;
  leave(key: string, weight?: number): void;
}

/** Allows `most` places at a time for each key; 0 means no limit. Stores only keys that hold a place. */
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
