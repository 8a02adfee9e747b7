import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json, templates and docs, wherever the compiled code lies below it. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** A file of the templates folder, e.g. `prompts/answer.txt`: what a person may edit without touching code. */
export function readTemplate(path: string): string {
  return readFileSync(join(packageRoot(), 'templates', path), 'utf8');
}

export function packageVersion(): string {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
