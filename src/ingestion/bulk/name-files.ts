import { createHash } from 'node:crypto';
import { cleanFileName, longestFileName } from '../upload/start-ingestion.js';
import type { FoundFile } from './find-files.js';

/**
 * Chooses the names of files in the product. Names identify the versions of a document, so all names of a run are
 * different. A file that was ingested earlier keeps its name (`known`, by path, in the order of the readings). Another
 * file gets its path below the named folder. If that is taken, as many parent folders as needed are added.
 */
export function nameFiles(
  files: readonly FoundFile[],
  known: ReadonlyMap<string, string>,
): Map<string, string> {
  const names = new Map<string, string>();
  // Two files ingested separately may have had one name. The document belongs to the one that was read last.
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
  // Paths that differ only in the encoding of letters, or in characters that names may not contain.
  for (const path of paths.filter(isUnnamed(names))) names.set(path, marked(path, path));
}

/** Assigns the wanted names that are unique and free. */
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

/** A name in its stored form. It is cut at the start: the end distinguishes files in deep folders. */
export function fit(name: string): string {
  return name.normalize('NFC').length <= longestFileName
    ? cleanFileName(name)
    : marked(name, name.normalize('NFC'));
}

/** The end of a name after a unique mark. */
function marked(name: string, distinct: string): string {
  const mark = `${createHash('sha256').update(distinct).digest('hex').slice(0, 12)} - `;
  const parts = name.split(/[/\\]/).filter((part) => part !== '');
  return cleanFileName(mark + parts.join(' - ').slice(mark.length - longestFileName));
}
