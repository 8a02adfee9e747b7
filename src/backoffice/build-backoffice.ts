import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { packageRoot } from '../platform/package-root.js';

/** Budgets in gzipped bytes. Those of pdf.js are for the review alone. */
const budgets = {
  'style.css': 14_000,
  'script.js': 12_000,
  'preview.js': 2000,
  'icon.svg': 1000,
  'pdf-viewer.js': 145_000,
  'pdf-worker.js': 325_000,
  'openjpeg.js': 120_000,
};

const packers = { br: promisify(brotliCompress), gz: promisify(gzip) };

/**
 * Writes the files that the pages load into `out`, packed by brotli and by gzip, under names with the hash of their
 * content. Returns their gzipped bytes by name. Throws when one exceeds its budget.
 */
export async function buildBackoffice(
  out: string,
  root = packageRoot(),
): Promise<Record<string, number>> {
  const { build } = await import('esbuild');
  const source = join(root, 'src/backoffice');
  const ofPdfjs = (file: string) => createRequire(import.meta.url).resolve(`pdfjs-dist/${file}`);
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    logLevel: 'silent',
    format: 'esm',
    target: 'es2022',
    entryNames: '[name]-[hash]',
    outdir: out,
    loader: { '.svg': 'copy' },
    entryPoints: [
      { in: join(source, 'styles/style.css'), out: 'style' },
      { in: join(source, 'browser/script.ts'), out: 'script' },
      { in: join(source, 'browser/preview.ts'), out: 'preview' },
      { in: join(source, 'browser/pdf-viewer.ts'), out: 'pdf-viewer' },
      { in: ofPdfjs('legacy/build/pdf.worker.mjs'), out: 'pdf-worker' },
      { in: ofPdfjs('wasm/openjpeg_nowasm_fallback.js'), out: 'openjpeg' },
      { in: join(source, 'styles/icon.svg'), out: 'icon' },
    ],
  });
  const files = await Promise.all(
    outputFiles.map(async ({ path, contents }) => {
      const name = basename(path).replace(/-[0-9A-Z]{8}\./, '.');
      return { path, contents, name, gz: await packers.gz(contents, { level: 9 }) };
    }),
  );
  for (const [name, budget] of Object.entries(budgets)) {
    const size = files.find((one) => one.name === name)?.gz.length ?? 0;
    if (size > budget) throw new Error(`${name} has ${size} bytes gzipped, ${budget} are allowed`);
  }
  await mkdir(out, { recursive: true });
  const kept = new Set(files.flatMap(({ path }) => [`${path}.gz`, `${path}.br`]));
  for (const file of await readdir(out)) if (!kept.has(join(out, file))) await rm(join(out, file));
  for (const { path, contents, gz } of files) {
    // Brotli takes seconds for pdf.js. A file of this name has this content.
    if (existsSync(`${path}.br`) && existsSync(`${path}.gz`)) continue;
    await writeFile(`${path}.gz`, gz);
    await writeFile(`${path}.br`, await packers.br(contents));
  }
  return Object.fromEntries(files.map(({ name, gz }) => [name, gz.length]));
}
