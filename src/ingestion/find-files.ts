import { stat } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';

export interface FoundFile {
  /** Absolute. */
  path: string;
  /** Its place below the folder, or the fixed part of the pattern, that was named: `old - manual.pdf`. */
  name: string;
}

export interface FoundFiles {
  files: FoundFile[];
  /** What was named and is not there. */
  missing: string[];
}

/** The PDFs that arguments name: files as they are, folders with all below them, glob patterns. Sorted, each once. */
export async function findPdfFiles(names: string[]): Promise<FoundFiles> {
  const { glob } = await import('tinyglobby');
  const files = new Map<string, FoundFile>();
  const add = (path: string, base: string) => {
    const name = relative(base, path).split(sep).join(' - ');
    if (!files.has(path)) files.set(path, { path, name });
  };
  const missing: string[] = [];
  for (const name of names) {
    const found = await stat(name).catch(() => undefined);
    if (found?.isFile() === true) {
      add(resolve(name), dirname(resolve(name)));
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
    const base = below ? resolve(name) : fixedPart(name);
    pdfs.forEach((path) => add(resolve(path), base));
  }
  return { files: [...files.values()], missing };
}

/** The folder that a pattern begins with. */
function fixedPart(pattern: string): string {
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => /[*?[\]{}()!+@]/.test(part));
  const fixed = parts.slice(0, first === -1 ? -1 : first).join('/');
  return resolve(fixed === '' && pattern.startsWith('/') ? '/' : fixed);
}
