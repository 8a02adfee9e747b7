import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * pdf.js draws pages with this native package of 30 MB. Text needs only the names of its classes, which are created
 * once.
 */
const canvas = 'require("@napi-rs/canvas")';
const placeholders = '({ DOMMatrix: class {}, ImageData: class {}, Path2D: class {} })';

/**
 * Copies the used files of pdfjs-dist into `out`: 5 of its 37 MB, without the drawing package; and pdf-parse, which
 * uses them. Throws when pdf.js loads that package in another way than its pinned version does.
 */
export async function buildPdfjs(out: string): Promise<void> {
  const { build, transform } = await import('esbuild');
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  for (const part of ['LICENSE', 'cmaps', 'standard_fonts']) {
    await cp(join(folder, part), join(out, part), { recursive: true });
  }
  // Of the script in dist/backoffice that reads JPEG 2000.
  for (const file of ['LICENSE_OPENJPEG', 'LICENSE_PDFJS_OPENJPEG']) {
    await cp(join(folder, 'wasm', file), join(out, file));
  }
  for (const file of ['pdf.mjs', 'pdf.worker.mjs']) {
    const text = await readFile(join(folder, 'legacy/build', file), 'utf8');
    const isDrawing = text.includes(canvas);
    if (isDrawing !== (file === 'pdf.mjs')) throw new Error(`${file} of pdfjs-dist has changed.`);
    const { code } = await transform(text.replaceAll(canvas, placeholders), {
      loader: 'js',
      format: 'esm',
      target: 'node20',
      // Names are kept, because the reasons of a damaged file contain them.
      minifyWhitespace: true,
      legalComments: 'inline',
    });
    await writeFile(join(out, file), code);
  }
  await build({
    entryPoints: [
      createRequire(import.meta.url)
        .resolve('pdf-parse')
        .replace(/cjs.index\.cjs$/, 'esm/index.js'),
    ],
    outfile: join(out, 'pdf-parse.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    legalComments: 'inline',
    logLevel: 'error',
    plugins: [
      {
        name: 'the pdf.js beside it',
        setup: (own) => {
          own.onResolve({ filter: /^pdfjs-dist\// }, () => ({ path: './pdf.mjs', external: true }));
        },
      },
    ],
  });
}
