import { readFile, rename } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { packageRoot } from '../platform/package-root.js';

/**
 * Packages that go into the program's one file, with what they need: small ones that most commands load. The others
 * stay where they are installed: native ones, those with files of their own, and what only few commands load.
 */
const bundled = [
  ...['@orama/stemmers', 'commander', 'knex', 'lru-cache', 'pino', 'string-width', 'yaml', 'zod'],
];

/** Drivers that knex names: installed one by one, or not at all. */
const drivers =
  /^(better-sqlite3|mariadb|mysql2?|oracledb|pg|pg-native|pg-query-stream|sqlite3|tedious)(\/|$)/;

/** Nobody asks for it, and reading it takes time: refusals of zod in 50 languages, other databases of knex. */
const unused =
  /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$|[/\\]knex[/\\]lib[/\\]dialects[/\\](?!sqlite3[/\\]|index\.js)/;

/** It can start other programs as commands, which we do not: what it needs for that is loaded when it does. */
const commander = /[/\\]commander[/\\]lib[/\\]command\.js$/;

function startingLate(text: string): string {
  return text
    .replace(/^const childProcess = .*;$/m, '')
    .replaceAll(/\bchildProcess\./g, "require('node:child_process').");
}

/**
 * Writes the compiled program as the single file `program.cjs` into `out`; answers its size in
 * bytes. One file starts several times faster than the hundreds that it is made of: what an action imports is still
 * set up only when that action runs. bin/load-program.js gives it `importPackage` and `moduleUrl`: code that is compiled
 * with V8's cache can neither import packages nor know where it stood.
 */
export async function buildCli(out: string, root = packageRoot()): Promise<number> {
  const { build } = await import('esbuild');
  const compiled = join(root, 'dist/src');
  const file = join(out, 'program.part.cjs');
  const { metafile } = await build({
    ...{ absWorkingDir: root, bundle: true, metafile: true, logLevel: 'silent' },
    ...{ platform: 'node', target: 'node20', format: 'cjs' },
    entryPoints: [join(compiled, 'main/run-program.js')],
    outfile: file,
    plugins: [leaveOut(compiled)],
  });
  const written = metafile.outputs[relative(root, file).replaceAll('\\', '/')];
  const imported = written?.imports.find(({ kind }) => kind === 'dynamic-import');
  if (imported !== undefined) throw new Error(`program.cjs imports ${imported.path} by itself.`);
  // Whole or not at all: a command may be starting out of the one before.
  await rename(file, join(out, 'program.cjs'));
  return written?.bytes ?? 0;
}

function leaveOut(compiled: string): Plugin {
  return {
    name: 'leave-out',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
        if (kind === 'entry-point') return undefined;
        const isBundled = bundled.some((name) => path === name || path.startsWith(`${name}/`));
        const isOwn = importer.startsWith(compiled);
        if (isOwn ? isBundled : !drivers.test(path)) return undefined;
        return { path, external: true };
      });
      build.onLoad({ filter: /\.js$/ }, async ({ path }) => {
        if (unused.test(path)) return { contents: 'module.exports = {};' };
        if (commander.test(path)) return { contents: startingLate(await readFile(path, 'utf8')) };
        if (!path.startsWith(compiled)) return undefined;
        const name = JSON.stringify(relative(compiled, path).replaceAll('\\', '/'));
        const text = await readFile(path, 'utf8');
        const contents = text
          // Loaded when it is needed, yet part of the file.
          .replaceAll("load('string-width')", "require('string-width')")
          .replaceAll('import.meta.url', `moduleUrl(${name})`)
          .replaceAll(/\bimport\('([^.'][^']*)'\)/g, (whole, wanted: string) =>
            bundled.includes(wanted) ? whole : `importPackage('${wanted}')`,
          );
        return { contents, loader: 'js' };
      });
    },
  };
}
