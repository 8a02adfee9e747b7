import { readdir, statfs, type Dirent } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { extensionOf, kindsByExtension } from '../../documents/document.js';
import { messageOf } from '../../platform/errors.js';

/** The patterns of `--include` and `--exclude`. */
export interface Choice {
  include: readonly string[];
  exclude: readonly string[];
}

export interface Search {
  /** All documents below a folder, absolute and sorted: files with the usual ending of a kind that is read. */
  below(folder: string): Promise<string[]>;
  /** All documents that match a pattern, absolute and sorted. A pattern may name another ending itself. */
  matching(pattern: string): Promise<string[]>;
  /** Returns whether a file below `base` is chosen. `isFlat`: only files directly in it are asked about. */
  isMeant(base: string, isFlat: boolean): Promise<(path: string) => boolean>;
  /** The number of files that were passed over, because their names have no ending of a kind that is read. */
  passedOver(): number;
  /** Folders that could not be read, and links that lead to nothing, with the reason. */
  unreadable(): { path: string; message: string }[];
}

/** Searches for files and records unreadable folders: silently skipped files would count as gone. */
export function createSearch(choice: Choice, signal?: AbortSignal): Search {
  const unreadable = new Map<string, string>();
  const fs = { readdir: watchedReaddir(unreadable) };
  const find = async (patterns: string[], options: object) => {
    const { glob } = await import('tinyglobby');
    const found = await glob(patterns, {
      absolute: true,
      onlyFiles: true,
      fs,
      ...(signal && { signal }),
      ...options,
    });
    signal?.throwIfAborted();
    return found.map((path) => resolve(path));
  };
  const others = new Set<string>();
  const findDocuments = async (patterns: string[], options: object) => {
    const found = await find(patterns, options);
    const isNamed = patterns.every((pattern) => /\.[^*./\\]+$/.test(pattern));
    const named = found.filter((path) => isNamed || hasUsualEnding(path));
    for (const path of found) if (!isNamed && !hasUsualEnding(path)) others.add(path);
    const special = await Promise.all(named.map(isSpecial));
    return named.filter((_, index) => special[index] === false).sort();
  };
  const include = choice.include.length === 0 ? ['**/*'] : choice.include.flatMap(spread);
  const ignore = choice.exclude.flatMap(spread);
  const meant = new Map<string, Promise<ReadonlySet<string>>>();
  const filesMeant = (base: string, isFlat: boolean) => {
    const key = join(base, isFlat ? '*' : '**');
    const depth = isFlat ? { deep: 1 } : {};
    const all =
      meant.get(key) ??
      find(include, { cwd: base, ignore, expandDirectories: false, ...depth }).then(
        (paths) => new Set(paths),
      );
    meant.set(key, all);
    return all;
  };
  return {
    below: (folder) => findDocuments(['**/*'], { cwd: folder }),
    matching: (pattern) => findDocuments([pattern], {}),
    async isMeant(base, isFlat) {
      if (choice.include.length + choice.exclude.length === 0) return () => true;
      const files = await filesMeant(base, isFlat);
      return (path) => files.has(path);
    },
    passedOver: () => others.size,
    unreadable: () => [...unreadable].map(([path, message]) => ({ path, message })),
  };
}

function hasUsualEnding(path: string): boolean {
  return Object.hasOwn(kindsByExtension, extensionOf(path));
}

/** True when a link leads to a pipe or device, which could block a reader. Unknown cases are reported on reading. */
async function isSpecial(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile();
}

/** The file systems of the kernel, by their numbers: proc, sysfs, cgroup, debugfs, tracefs. Their links lead in rounds. */
const ofKernel = new Set([0x9f_a0, 0x62_65_65_72, 0x63_67_72_70, 0x64_62_67_20, 0x74_72_61_63]);

function watchedReaddir(unreadable: Map<string, string>): typeof readdir {
  const watched = (
    path: string,
    options: { withFileTypes: true },
    done: (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void,
  ) => {
    statfs(path, (_, disk) => {
      if (ofKernel.has((disk as typeof disk | undefined)?.type ?? 0)) {
        unreadable.set(resolve(path), 'it belongs to the kernel and holds no files of people');
        done(null, []);
        return;
      }
      readdir(path, options, (error, entries) => {
        // A pattern may begin in a folder that does not exist.
        const isAbsent = error?.code === 'ENOENT' || error?.code === 'ENOTDIR';
        if (error !== null && !isAbsent) unreadable.set(resolve(path), messageOf(error));
        // Patterns end at a line break, so they match nothing below such a folder.
        for (const entry of error === null ? entries : []) {
          if (!entry.isDirectory() || !/[\n\r\u2028\u2029]/.test(entry.name)) continue;
          unreadable.set(
            resolve(path, entry.name),
            'its name has a line break: give it another name',
          );
        }
        const folder = resolve(path);
        void findBrokenLinks(folder, error === null ? entries : []).then((links) => {
          for (const link of links)
            unreadable.set(link, 'the file or folder behind the link is gone');
          done(error, entries);
        });
      });
    });
  };
  return watched as typeof readdir;
}

/**
 * Links that lead to nothing, as while a disk is not mounted, and that may stand for documents: what is behind them must not
 * count as gone.
 */
async function findBrokenLinks(folder: string, entries: readonly Dirent[]): Promise<string[]> {
  const links = entries.filter(
    (entry) =>
      entry.isSymbolicLink() &&
      !entry.name.startsWith('.') &&
      (!entry.name.includes('.') || hasUsualEnding(entry.name)),
  );
  if (links.length === 0) return [];
  // Links may lead to one folder in rounds.
  const own = await realpath(folder).catch(() => folder);
  const paths = links.map(({ name }) => join(own, name));
  const codes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        () => '',
        (error: unknown) => (error as NodeJS.ErrnoException).code,
      ),
    ),
  );
  return paths.filter((_, index) => codes[index] === 'ENOENT');
}

/** A pattern without a slash matches a name anywhere. A matched folder includes everything below it. */
function spread(pattern: string): string[] {
  const plain = pattern.replace(/^\.?\//, '').replace(/\/+$/, '');
  const anywhere = plain.includes('/') ? plain : `**/${plain}`;
  return [anywhere, `${anywhere}/**`];
}
