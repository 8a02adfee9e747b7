import type { PartName } from '../../chat/parts/part-names.js';

/** Loads each part once: what came is kept, what did not come in time, or not at all, is not. */
export function loadPartsOnce(
  load: (name: PartName) => Promise<unknown>,
  patienceMs = 15_000,
): (name: PartName) => Promise<unknown> {
  const inTime = (name: PartName) =>
    new Promise((resolve, reject) => {
      const giveUp = () => reject(new Error(`${name}.js could not be loaded in time.`));
      const timer = setTimeout(giveUp, patienceMs);
      void load(name)
        .finally(() => clearTimeout(timer))
        .then(resolve, reject);
    });
  const kept = new Map<PartName, Promise<unknown>>();
  return (name) => {
    const loading = kept.get(name) ?? inTime(name);
    kept.set(name, loading);
    loading.catch(() => kept.delete(name));
    return loading;
  };
}
