/** So many at a time for each key. */
export interface ConcurrencyLimit {
  /** Takes a place; false where all are taken. */
  take(key: string): boolean;
  leave(key: string): void;
}

/** `most` at a time for each key; 0 sets no limit. Remembers only keys that hold a place. */
export function createConcurrencyLimit(most: number): ConcurrencyLimit {
  const taken = new Map<string, number>();
  return {
    take(key) {
      const count = taken.get(key) ?? 0;
      if (most > 0 && count >= most) return false;
      taken.set(key, count + 1);
      return true;
    },
    leave(key) {
      const count = (taken.get(key) ?? 0) - 1;
      if (count > 0) taken.set(key, count);
      else taken.delete(key);
    },
  };
}
