import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file or folder with its permissions. A folder comes before its content. */
export interface WrittenFile {
  /** The path below the folder that was read. */
  path: string;
  mode: number;
  /** Undefined for a folder. */
  bytes: Buffer | undefined;
}

/** Reads the content of a folder into memory. */
export async function readFiles(folder: string): Promise<WrittenFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Promise.all(
    paths.map(async (path) => {
      const facts = await stat(path);
      const bytes = facts.isDirectory() ? undefined : await readFile(path);
      return { path: path.slice(folder.length + 1), mode: facts.mode, bytes };
    }),
  );
}

/** Writes such content into another folder. */
export async function writeFiles(folder: string, files: readonly WrittenFile[]): Promise<void> {
  for (const { path, mode, bytes } of files) {
    const target = join(folder, path);
    if (bytes === undefined) await mkdir(target);
    else await writeFile(target, bytes);
    await chmod(target, mode & 0o777);
  }
}
