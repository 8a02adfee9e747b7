import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let root: string | undefined;

/** The folder that contains package.json, templates and docs, wherever the compiled code is below it. */
export function packageRoot(): string {
  if (root !== undefined) return root;
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return (root = folder);
}

const templates = new Map<string, { changed: number; text: string }>();

/** Reads a file of the templates folder, e.g. `prompts/answer.txt`, which people may edit. Cached until it changes. */
export function readTemplate(path: string): string {
  const file = join(packageRoot(), 'templates', path);
  const { mtimeMs: changed } = statSync(file);
  const known = templates.get(path);
  if (known?.changed === changed) return known.text;
  const text = readFileSync(file, 'utf8');
  templates.set(path, { changed, text });
  return text;
}

export function packageVersion(): string {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
