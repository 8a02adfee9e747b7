import type { FoundFile } from './find-files.js';

/**
 * What files are called in the product: it is by their names that versions of a document are known. A file that was
 * ingested before keeps the name that it had (`known`, by path), else it has that of its place below the folder that
 * was named. Only where another file of the run has that name already it gets those of its folders, as many as it takes.
 */
export function nameFiles(
  files: readonly FoundFile[],
  known: ReadonlyMap<string, string>,
): Map<string, string> {
  const names = new Map<string, string>();
  for (const { path } of files) {
    const name = known.get(path);
    if (name !== undefined) names.set(path, name);
  }
  const taken = new Set(names.values());
  const fresh = files.filter(({ path }) => !names.has(path));
  const counts = new Map<string, number>();
  for (const { name } of fresh) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { path, name } of fresh) {
    const isFree = counts.get(name) === 1 && !taken.has(name);
    if (isFree) names.set(path, name);
  }
  nameByFolders(
    fresh.map(({ path }) => path).filter((path) => !names.has(path)),
    names,
  );
  return names;
}

function nameByFolders(paths: readonly string[], names: Map<string, string>): void {
  const nameAt = (path: string, depth: number) => {
    const parts = path.split(/[/\\]/).filter((part) => part !== '');
    return parts.slice(-depth).join(' - ');
  };
  const deepest = Math.max(1, ...paths.map((path) => path.split(/[/\\]/).length));
  for (let depth = 2; depth <= deepest; depth++) {
    const left = paths.filter((path) => !names.has(path));
    const taken = new Set(names.values());
    const counts = new Map<string, number>();
    for (const path of left) {
      const name = nameAt(path, depth);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const path of left) {
      const name = nameAt(path, depth);
      if (counts.get(name) === 1 && !taken.has(name)) names.set(path, name);
    }
  }
}
