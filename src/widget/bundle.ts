import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';

/** Where the sources of the widget are, below the project's folder. */
export function browserSources(root: string): string {
  return join(root, 'src/widget/browser');
}

/** Bundles sources of the widget as they ship: minified, for all current browsers. Writes no file. */
export async function bundle(root: string, options: BuildOptions) {
  const { build } = await import('esbuild');
  const { outputFiles = [], metafile } = await build({
    ...{ absWorkingDir: root, bundle: true, minify: true, write: false, metafile: true },
    ...{ target: 'es2022', platform: 'browser', charset: 'utf8', legalComments: 'none' },
    ...{ logLevel: 'silent', tsconfig: join(browserSources(root), 'tsconfig.json') },
    ...options,
  });
  return { files: outputFiles, metafile };
}
