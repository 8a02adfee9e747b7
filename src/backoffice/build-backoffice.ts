import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packageRoot } from '../platform/package-root.js';

/** Budgets in gzipped bytes. */
export const budgets = {
  ...{ 'style.css': 14_000, 'script.js': 12_000, 'preview.js': 2000, 'icon.svg': 1000 },
};

/**
 * Writes the files that the pages load into `out`, under names with the hash of their content. Returns their gzipped
 * bytes by name. Throws when one exceeds its budget.
 */
export async function buildBackoffice(
  out: string,
  root = packageRoot(),
): Promise<Record<string, number>> {
  const { build } = await import('esbuild');
  const source = join(root, 'src/backoffice');
  const { outputFiles } = await build({
    ...{ absWorkingDir: root, bundle: true, minify: true, write: false, logLevel: 'silent' },
    ...{ format: 'esm', target: 'es2022', entryNames: '[name]-[hash]', outdir: out },
    loader: { '.svg': 'copy' },
    entryPoints: [
      { in: join(source, 'styles/style.css'), out: 'style' },
      { in: join(source, 'browser/script.ts'), out: 'script' },
      { in: join(source, 'browser/preview.ts'), out: 'preview' },
      { in: join(source, 'styles/icon.svg'), out: 'icon' },
    ],
  });
  const sizes = outputFiles.map(({ path, contents }) => {
    const name = path.replace(/^.*[/\\]/, '').replace(/-[0-9A-Z]{8}\./, '.');
    return { path, contents, name, gzip: gzipSync(contents).length };
  });
  for (const [name, budget] of Object.entries(budgets)) {
    const size = sizes.find((one) => one.name === name)?.gzip ?? 0;
    if (size > budget) throw new Error(`${name} has ${size} bytes gzipped, ${budget} are allowed`);
  }
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await Promise.all(sizes.map(({ path, contents }) => writeFile(path, contents)));
  return Object.fromEntries(sizes.map(({ name, gzip }) => [name, gzip]));
}
