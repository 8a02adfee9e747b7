import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { BuildOptions, Metafile } from 'esbuild';
import { packageRoot } from '../platform/package-root.js';

/**
 * What a page loads, gzipped, in bytes: the script of the tag, and the panel's, which comes when somebody reaches for
 * the button. The smallest peer's one script has 46 KB.
 */
export const budgets = { script: 9 * 1024, panel: 28 * 1024 };

/** A script that was built. */
interface Built {
  bytes: number;
  gzip: number;
  /** For the attribute of a tag, `sha384-…`. */
  integrity: string;
}

/** What stands in `assistant.json` beside the scripts. */
export interface ScriptFacts extends Built {
  panel: Built;
}

/**
 * Bundles the widget out of its sources into `out`: the script with its compressed variants and the panel's, the module
 * for bundlers, and the declarations of both. Throws, with the largest modules, where a script weighs more than its
 * budget; nothing is written then.
 */
export async function buildWidget(
  out: string,
  { budget = budgets, root = packageRoot() } = {},
): Promise<ScriptFacts> {
  const { build } = await import('esbuild');
  const browser = join(root, 'src/widget/browser');
  const bundle = async (entry: string, options: BuildOptions) => {
    const { outputFiles = [], metafile } = await build({
      ...{ absWorkingDir: root, bundle: true, minify: true, write: false, metafile: true },
      ...{ target: 'es2022', platform: 'browser', charset: 'utf8', legalComments: 'none' },
      ...{ logLevel: 'silent', tsconfig: join(browser, 'tsconfig.json'), outdir: out },
      entryPoints: { [entry]: join(browser, `entry-${entry}.ts`) },
      ...options,
    });
    return { files: outputFiles, metafile };
  };
  const script = async (entry: 'script' | 'panel', define: Record<string, string>) => {
    const { files, metafile } = await bundle(entry, { format: 'iife', define });
    const contents = Buffer.from(files[0]?.contents ?? []);
    const zipped = gzipSync(contents, { level: 9 });
    if (zipped.length > budget[entry]) {
      throw new Error(tooLarge(entry, zipped.length, budget[entry], metafile));
    }
    const integrity = `sha384-${createHash('sha384').update(contents).digest('base64')}`;
    return { contents, zipped, facts: { integrity, bytes: contents.length, gzip: zipped.length } };
  };
  const [panel, module, declarations] = await Promise.all([
    script('panel', {}),
    // In pieces: a bundler loads the panel late as well.
    bundle('module', {
      ...{ format: 'esm', splitting: true, outExtension: { '.js': '.mjs' } },
      ...{ entryNames: 'assistant', chunkNames: 'assistant-[hash]' },
    }),
    declarationsOf(browser),
  ]);
  // The bytes that are meant get past the caches of a former version.
  const version = panel.facts.integrity.slice('sha384-'.length).replaceAll(/[^a-z0-9]/gi, '');
  const path = `panel.js?v=${version.slice(0, 12)}`;
  const PANEL_SCRIPT = JSON.stringify({ path, integrity: panel.facts.integrity });
  const assistant = await script('script', { PANEL_SCRIPT });
  const facts = { ...assistant.facts, panel: panel.facts };
  await rm(out, { recursive: true, force: true });
  await mkdir(join(out, 'v1'), { recursive: true });
  await Promise.all([
    ...compressed(join(out, 'v1/assistant.js'), assistant),
    ...compressed(join(out, 'v1/panel.js'), panel),
    writeFile(join(out, 'v1/assistant.json'), `${JSON.stringify(facts)}\n`),
    ...module.files.map(({ path, contents }) => writeFile(path, contents)),
    writeFile(join(out, 'assistant.d.ts'), declarations),
  ]);
  return facts;
}

function compressed(path: string, { contents, zipped }: { contents: Buffer; zipped: Buffer }) {
  const brotli = brotliCompressSync(contents, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_MODE]: 1 },
  });
  return [
    writeFile(path, contents),
    writeFile(`${path}.gz`, zipped),
    writeFile(`${path}.br`, brotli),
  ];
}

/** Both files consist of types alone and import nothing else: together they are declarations as they stand. */
async function declarationsOf(browser: string): Promise<string> {
  const [types, functions] = await Promise.all(
    ['api-types.ts', 'package-functions.d.ts'].map((file) => readFile(join(browser, file), 'utf8')),
  );
  return `${types ?? ''}\n${(functions ?? '').replace(/^import .*\n+/gm, '')}`;
}

/** Which modules to look at first. Minified bytes: gzip has no part of a module's own. */
function tooLarge(
  what: string,
  gzip: number,
  budget: number,
  metafile: Metafile | undefined,
): string {
  const [output] = Object.values(metafile?.outputs ?? {});
  const largest = Object.entries(output?.inputs ?? {})
    .map(([path, { bytesInOutput }]) => ({ path, bytes: bytesInOutput }))
    .sort((one, other) => other.bytes - one.bytes)
    .slice(0, 10)
    .map(({ path, bytes }) => `  ${String(bytes).padStart(6)}  ${path}`);
  return [
    `The widget's ${what} is too large: ${gzip} bytes gzipped, ${gzip - budget} over its budget of ${budget}.`,
    'Its largest modules, in minified bytes:',
    ...largest,
  ].join('\n');
}
