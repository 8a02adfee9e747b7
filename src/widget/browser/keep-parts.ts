import type { PartName } from '../part-names.js';

/** Loads each part once: what came is kept, what did not come is not. */
export function keepParts(
  load: (name: PartName) => Promise<unknown>,
): (name: PartName) => Promise<unknown> {
  const kept = new Map<PartName, Promise<unknown>>();
  return (name) => {
    const loading = kept.get(name) ?? load(name);
    kept.set(name, loading);
    loading.catch(() => kept.delete(name));
    return loading;
  };
}
