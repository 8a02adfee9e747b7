import { join } from 'node:path';
import { build } from 'esbuild';
import { packageRoot } from '../../../src/platform/package-root.js';

/** A script that makes what a module of src/widget/browser exports known to a page, as `window.part`. */
export async function scriptOfPart(path: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(packageRoot(), 'src/widget/browser', path)],
    ...{ bundle: true, write: false, format: 'iife', globalName: 'part', target: 'es2022' },
  });
  return outputFiles[0]?.text ?? '';
}
