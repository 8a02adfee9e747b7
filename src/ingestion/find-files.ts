import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';

export interface FoundFiles {
  files: string[];
  /** What was named and is not there. */
  missing: string[];
}

/** The PDFs that arguments name: files as they are, folders with all below them, glob patterns. Sorted, each once. */
export async function findPdfFiles(names: string[]): Promise<FoundFiles> {
  const { glob } = await import('tinyglobby');
  const files = new Set<string>();
  const missing: string[] = [];
  for (const name of names) {
    const found = await stat(name).catch(() => undefined);
    if (found?.isFile() === true) {
      files.add(resolve(name));
      continue;
    }
    const below = found?.isDirectory() === true;
    const options = below ? { cwd: resolve(name) } : {};
    const matches = await glob(below ? ['**/*'] : [name], {
      ...options,
      absolute: true,
      onlyFiles: true,
    });
    const pdfs = matches.filter((path) => /\.pdf$/i.test(path)).sort();
    if (pdfs.length === 0) missing.push(name);
    pdfs.forEach((path) => files.add(path));
  }
  return { files: [...files], missing };
}
