import { join } from 'node:path';
import { build } from 'esbuild';
import { packageRoot } from '../../../src/platform/package-root.js';

/** A script that gives a page the exports of modules below src, as `window.part`. */
export async function scriptOfPart(...paths: string[]): Promise<string> {
  const contents = paths.map((path) => `export * from './${path}';`).join('');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(packageRoot(), 'src') },
    ...{ bundle: true, write: false, format: 'iife', globalName: 'part', target: 'es2022' },
  });
  return outputFiles[0]?.text ?? '';
}
