import { createHash } from 'node:crypto';
import { cleanFileName, longestFileName } from '../upload/start-ingestion.js';
import type { FoundFile } from './find-files.js';

/**
 * What files are called in the product: it is by their names that versions of a document are known, and so no two
 * files of a run have the same. A file that was ingested before keeps the name that it had (`known`, by path, in the
 * order of the readings), else it has that of its place below the folder that was named. Only where another file of the
 * run has that name already it gets those of its folders, as many as it takes.
 */
export function nameFiles(
  files: readonly FoundFile[],
  known: ReadonlyMap<string, string>,
): Map<string, string> {
  const names = new Map<string, string>();
  // Ingested apart from each other, two files may have had one name: the document is that of the one read last.
  const holders = new Map([...known].map(([path, name]) => [cleanFileName(name), path]));
  for (const { path } of files) {
    const name = known.get(path);
    if (name !== undefined && holders.get(cleanFileName(name)) === path) names.set(path, name);
  }
  const fresh = files.filter(({ path }) => !names.has(path));
  nameThoseAlone(
    fresh.map(({ path, name }) => [path, fit(name)]),
    names,
  );
  nameByFolders(fresh.map(({ path }) => path).filter(isUnnamed(names)), names);
  return names;
}

function nameByFolders(paths: readonly string[], names: Map<string, string>): void {
  const nameAt = (path: string, depth: number) => {
    const parts = path.split(/[/\\]/).filter((part) => part !== '');
    return fit(parts.slice(-depth).join(' - '));
  };
  const deepest = Math.max(1, ...paths.map((path) => path.split(/[/\\]/).length));
  for (let depth = 2; depth <= deepest; depth++) {
    const left = paths.filter(isUnnamed(names));
    nameThoseAlone(
      left.map((path) => [path, nameAt(path, depth)]),
      names,
    );
  }
  // Paths that differ only in how their letters are written, or in what no name may hold.
  for (const path of paths.filter(isUnnamed(names))) names.set(path, marked(path, path));
}

/** Gives the wanted names that nothing else has or wants. */
function nameThoseAlone(
  wanted: readonly (readonly [path: string, name: string])[],
  names: Map<string, string>,
): void {
  const taken = new Set([...names.values()].map(cleanFileName));
  const counts = new Map<string, number>();
  for (const [, name] of wanted) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [path, name] of wanted) {
    if (counts.get(name) === 1 && !taken.has(name)) names.set(path, name);
  }
}

function isUnnamed(names: ReadonlyMap<string, string>): (path: string) => boolean {
  return (path) => !names.has(path);
}

/** A name as it is kept. Cut at its end, that of a file deep down would be the name of all files beside it. */
function fit(name: string): string {
  return name.normalize('NFC').length <= longestFileName
    ? cleanFileName(name)
    : marked(name, name.normalize('NFC'));
}

/** The end of a name behind a mark that nothing else has. */
function marked(name: string, distinct: string): string {
  const mark = `${createHash('sha256').update(distinct).digest('hex').slice(0, 12)} - `;
  const parts = name.split(/[/\\]/).filter((part) => part !== '');
  return cleanFileName(mark + parts.join(' - ').slice(mark.length - longestFileName));
}
