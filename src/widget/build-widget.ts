import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { BuildOptions, Metafile } from 'esbuild';
import { packageRoot } from '../platform/package-root.js';

/** What a page may have to load for the widget, gzipped. The smallest peer's has 46 KB. */
export const scriptBudget = 32 * 1024;

/** What stands in `assistant.json` beside the script. */
export interface ScriptFacts {
  /** For the attribute of the tag, `sha384-…`. */
  integrity: string;
  bytes: number;
  gzip: number;
}

/**
 * Bundles the widget out of its sources into `out`: the script with its compressed variants, the module for bundlers,
 * and the declarations of both. Throws, with the largest modules, where the script weighs more than `budget` bytes
 * gzipped; nothing is written then.
 */
export async function buildWidget(
  out: string,
  { budget = scriptBudget, root = packageRoot() } = {},
): Promise<ScriptFacts> {
  const { build } = await import('esbuild');
  const browser = join(root, 'src/widget/browser');
  const bundle = async (options: BuildOptions) => {
    const built = await build({
      ...{ absWorkingDir: root, bundle: true, minify: true, write: false, metafile: true },
      ...{ target: 'es2022', platform: 'browser', charset: 'utf8', legalComments: 'none' },
      ...{ logLevel: 'silent', tsconfig: join(browser, 'tsconfig.json') },
      ...options,
    });
    const contents = built.outputFiles?.[0]?.contents ?? new Uint8Array();
    return { contents: Buffer.from(contents), metafile: built.metafile };
  };
  const [script, module, declarations] = await Promise.all([
    bundle({ entryPoints: [join(browser, 'entry-script.ts')], format: 'iife' }),
    bundle({ entryPoints: [join(browser, 'entry-module.ts')], format: 'esm' }),
    declarationsOf(browser),
  ]);
  const { contents } = script;
  const zipped = gzipSync(contents, { level: 9 });
  if (zipped.length > budget) {
    throw new Error(tooLarge(zipped.length, budget, script.metafile));
  }
  const integrity = `sha384-${createHash('sha384').update(contents).digest('base64')}`;
  const facts = { integrity, bytes: contents.length, gzip: zipped.length };
  const brotli = brotliCompressSync(contents, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_MODE]: 1 },
  });
  await mkdir(join(out, 'v1'), { recursive: true });
  await Promise.all([
    writeFile(join(out, 'v1/assistant.js'), contents),
    writeFile(join(out, 'v1/assistant.js.gz'), zipped),
    writeFile(join(out, 'v1/assistant.js.br'), brotli),
    writeFile(join(out, 'v1/assistant.json'), `${JSON.stringify(facts)}\n`),
    writeFile(join(out, 'assistant.mjs'), module.contents),
    writeFile(join(out, 'assistant.d.ts'), declarations),
  ]);
  return facts;
}

/** Both files consist of types alone and import nothing else: together they are declarations as they stand. */
async function declarationsOf(browser: string): Promise<string> {
  const [types, functions] = await Promise.all(
    ['api-types.ts', 'package-functions.d.ts'].map((file) => readFile(join(browser, file), 'utf8')),
  );
  return `${types ?? ''}\n${(functions ?? '').replace(/^import .*\n+/gm, '')}`;
}

/** Which modules to look at first. Minified bytes: gzip has no part of a module's own. */
function tooLarge(gzip: number, budget: number, metafile: Metafile | undefined): string {
  const [output] = Object.values(metafile?.outputs ?? {});
  const largest = Object.entries(output?.inputs ?? {})
    .map(([path, { bytesInOutput }]) => ({ path, bytes: bytesInOutput }))
    .sort((one, other) => other.bytes - one.bytes)
    .slice(0, 10)
    .map(({ path, bytes }) => `  ${String(bytes).padStart(6)}  ${path}`);
  return [
    `The widget's script is too large: ${gzip} bytes gzipped, ${gzip - budget} over its budget of ${budget}.`,
    'Its largest modules, in minified bytes:',
    ...largest,
  ].join('\n');
}
