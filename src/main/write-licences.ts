import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of the package that a file belongs to, the innermost one. */
const packageOf = /^.*node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/;
const licenceName = /^(licen[cs]e|copying|notice)/i;

/**
 * Writes one file with name, version and licence of each package that the named files belong to. Most licences ask for
 * it. Throws for a package that names no licence. `files` are relative to `root`.
 */
export async function writeLicences(root: string, files: string[], target: string): Promise<void> {
  const folders = new Set(files.flatMap((file) => packageOf.exec(file)?.[0] ?? []));
  const texts = await Promise.all([...folders].sort().map((one) => licenceOf(join(root, one))));
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  await writeFile(target, `${[...new Set(texts)].join(rule)}\n`);
}

async function licenceOf(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'package.json'), 'utf8');
  const { name, version, license } = JSON.parse(text) as Record<string, string | undefined>;
  const named = (await readdir(folder)).filter((file) => licenceName.test(file)).sort();
  const texts = await Promise.all(named.map((file) => readFile(join(folder, file), 'utf8')));
  if (typeof license !== 'string') throw new Error(`The package ${name} names no licence.`);
  return [`${name} ${version} (${license})`, ...texts.map((one) => one.trim())].join('\n\n');
}
