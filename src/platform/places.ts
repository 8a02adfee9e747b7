/** Places that each key has so many of. */
export interface Places {
  /** Takes one; false where all are taken. */
  take(key: string): boolean;
  leave(key: string): void;
}

/** `most` places for each key; 0 sets no limit. Remembers only keys that hold some. */
export function createPlaces(most: number): Places {
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
