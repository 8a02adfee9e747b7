import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../platform/package-root.js';
import { browserSources, bundle } from './bundle.js';

/**
 * Builds the package for front-end projects into `out`, without the server: the module with its parts, the
 * declarations, and what npm shows of a package. It has the product's name, so that the import is `assistant/widget`.
 */
export async function buildPackage(out: string, root = packageRoot()): Promise<void> {
  const browser = browserSources(root);
  const [{ files }, declarations, product] = await Promise.all([
    // In pieces: a bundler loads the parts late as well.
    bundle(root, {
      ...{ entryPoints: { assistant: join(browser, 'entry-module.ts') }, format: 'esm' },
      ...{ splitting: true, outdir: out, outExtension: { '.js': '.mjs' } },
      ...{ entryNames: 'assistant', chunkNames: 'assistant-[name]-[hash]' },
    }),
    declarationsOf(browser),
    readFile(join(root, 'package.json'), 'utf8'),
  ]);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await Promise.all([
    ...files.map(({ path, contents }) => writeFile(path, contents)),
    writeFile(join(out, 'assistant.d.ts'), declarations),
    writeFile(join(out, 'package.json'), `${JSON.stringify(manifestOf(product), undefined, 2)}\n`),
    cp(join(root, 'src/widget/package-readme.md'), join(out, 'README.md')),
    cp(join(root, 'LICENSE'), join(out, 'LICENSE')),
  ]);
}

function manifestOf(product: string) {
  const { name, version, license } = JSON.parse(product) as Record<string, string>;
  return {
    ...{ name, version, license },
    description: 'The Assistant widget for web pages: a chat that answers with its sources.',
    type: 'module',
    exports: {
      './widget': { types: './assistant.d.ts', default: './assistant.mjs' },
      './package.json': './package.json',
    },
  };
}

/** Both files consist of types alone and import nothing else: together they are declarations as they stand. */
async function declarationsOf(browser: string): Promise<string> {
  const [types, functions] = await Promise.all(
    ['api-types.ts', 'package-functions.d.ts'].map((file) => readFile(join(browser, file), 'utf8')),
  );
  return `${types ?? ''}\n${(functions ?? '').replace(/^import .*\n+/gm, '')}`;
}
