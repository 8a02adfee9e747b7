import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, normalize, relative, resolve, sep } from 'node:path';
import { longestFolder } from '../upload/identity.js';
import { createSearch, type Choice, type Search } from './search-folders.js';

export interface FoundFile {
  /** Absolute, or `-` for standard input. */
  path: string;
  /** Its path below the named folder or the fixed part of the pattern: `old - manual.pdf`. */
  name: string;
  /**
   * The named folder that it was found in, as far as it is the same on every machine: `shop/docs` as it was named, the
   * last part of an absolute path, null for the current folder.
   */
  folder: string | null;
}

export interface FoundFiles {
  files: FoundFile[];
  /** Named paths that do not exist. */
  missing: string[];
  /** Named folders (absolute), and whether each contains any document. */
  folders: { path: string; isEmpty: boolean }[];
  /** Folders and links that could not be read, named or below a named one, with the reason. */
  unreadable: { path: string; message: string }[];
  /** Files behind links that lead out of all named folders and patterns, with the reason. They are not gone. */
  outside: { path: string; message: string }[];
  /** The number of documents that --include and --exclude left out. */
  leftOut: number;
  /** Their names, and those of files outside. They are not gone. */
  namesLeftOut: string[];
  /** The number of other files in the named folders and patterns, which are of kinds that are not read. */
  passedOver: number;
}

/** The meaning of one argument. */
interface Named {
  kind: 'file' | 'folder' | 'pattern';
  /** The base of the names and patterns. */
  base: string;
  /** The base as it was named. */
  called: string;
  paths: string[];
}

/**
 * Finds the documents that arguments name: files, folders with everything below them, and glob patterns, filtered by
 * `choice`. Each file appears once, however many links lead to it. Hidden files and folders are skipped.
 */
export async function findDocuments(
  names: readonly string[],
  choice: Choice,
  signal?: AbortSignal,
): Promise<FoundFiles> {
  const search = createSearch(choice, signal);
  const files = new Map<string, FoundFile>();
  const missing: string[] = [];
  const folders: FoundFiles['folders'] = [];
  const leftOut = new Map<string, string>();
  const roots = new Set<string>();
  const named = new Set<string>();
  for (const name of names) {
    const { kind, base, called, paths } = await find(search, name);
    const folder = folderCalled(called);
    if (kind === 'file') for (const path of paths) named.add(path);
    else roots.add(await endOf(base));
    if (kind === 'folder') folders.push({ path: base, isEmpty: paths.length === 0 });
    if (paths.length === 0) missing.push(name);
    const isMeant = await search.isMeant(base, kind === 'file');
    for (const path of paths) {
      const place = relative(base, path).split(sep).join(' - ');
      if (!isMeant(path)) leftOut.set(path, place);
      else if (!files.has(path)) files.set(path, { path, name: place, folder });
    }
  }
  const outside = new Map<string, FoundFile>();
  for (const file of files.values()) {
    const end = named.has(file.path) ? undefined : await endOf(file.path);
    if (end !== undefined && ![...roots].some((root) => isBelow(root, end))) {
      outside.set(file.path, file);
    }
  }
  return {
    files: await withoutAliases([...files.values()].filter(({ path }) => !outside.has(path))),
    missing,
    folders,
    unreadable: search.unreadable(),
    outside: [...outside.keys()].map((path) => ({ path, message: leadsOut })),
    passedOver: search.passedOver(),
    leftOut: [...leftOut.keys()].filter((path) => !files.has(path)).length,
    namesLeftOut: [...leftOut.values(), ...[...outside.values()].map(({ name }) => name)],
  };
}

const leadsOut = 'It is behind a link that leads out of the folder. Name its own folder.';

/** The end of the links that a path consists of. */
function endOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** Whoever may write into a folder must not have all of the machine read by a link. */
function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Of several paths to one file, keeps the simplest: its own, else the shortest. */
async function withoutAliases(files: readonly FoundFile[]): Promise<FoundFile[]> {
  const plainest = new Map<string, string>();
  const ends = new Map<string, string>();
  for (const { path } of files) {
    const end = await endOf(path);
    ends.set(path, end);
    const other = plainest.get(end);
    const isPlainer = other === undefined || path === end || path.length < other.length;
    if (isPlainer && other !== end) plainest.set(end, path);
  }
  return files.filter(({ path }) => plainest.get(ends.get(path) ?? path) === path);
}

/** Leaves out files behind a link that leads back to one of their parent folders. */
async function withoutRounds(paths: readonly string[], base: string): Promise<string[]> {
  const ends = new Map<string, Promise<string>>();
  const endOfFolder = (folder: string) => {
    const end = ends.get(folder) ?? endOf(folder);
    ends.set(folder, end);
    return end;
  };
  const straight: string[] = [];
  for (const path of paths) {
    const passed = new Set<string>();
    let length = 0;
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      passed.add(await endOfFolder(folder));
      length++;
      if (folder === base || folder === dirname(folder)) break;
    }
    if (passed.size === length) straight.push(path);
  }
  return straight;
}

async function find(search: Search, name: string): Promise<Named> {
  const path = resolve(name);
  const found = await stat(name).catch(() => undefined);
  if (found?.isFile() === true) {
    return { kind: 'file', base: dirname(path), called: dirname(name), paths: [path] };
  }
  if (found?.isDirectory() === true) {
    const paths = await withoutRounds(await search.below(path), path);
    return { kind: 'folder', base: path, called: name, paths };
  }
  const called = fixedPart(name);
  const base = resolve(called);
  const paths = await withoutRounds(await search.matching(name), base);
  return { kind: 'pattern', base, called, paths };
}

/** The folder at the beginning of a pattern. */
function fixedPart(pattern: string): string {
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => /[*?[\]{}()!+@]/.test(part));
  const fixed = parts.slice(0, first === -1 ? -1 : first).join('/');
  return fixed === '' && pattern.startsWith('/') ? '/' : fixed;
}

/** The name of a folder as it was given, without parts that only say where a machine keeps it. */
function folderCalled(named: string): string | null {
  const parts = normalize(named)
    .normalize('NFC')
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) => part.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ''));
  const kept = isAbsolute(named) ? parts.slice(-1) : parts;
  return kept.length === 0 ? null : kept.join('/').slice(-longestFolder);
}
