import type { PartName } from '../../chat/parts/part-names.js';

/** Loads each part once. A part that failed or took too long is loaded again on the next call. */
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
