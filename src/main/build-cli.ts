import { readFile, rename } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { packageRoot } from '../platform/package-root.js';

/**
 * Packages in the bundled file, with their dependencies: small ones that most commands load. Others stay installed:
 * native packages, those with their own files, and those that few commands load.
 */
const bundled = [
  ...['@orama/stemmers', 'commander', 'knex', 'lru-cache', 'pino', 'string-width', 'yaml', 'zod'],
];

/** Optional drivers that knex names; often not installed. */
const drivers =
  /^(better-sqlite3|mariadb|mysql2?|oracledb|pg|pg-native|pg-query-stream|sqlite3|tedious)(\/|$)/;

/** Unused code that takes time to load: zod's messages in 50 languages, and knex's other databases. */
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
 * Writes the compiled program as the single file `program.cjs` into `out`; returns its size in bytes. One file starts
 * several times faster than hundreds. An action's imports are still initialized only when it runs. bin/load-program.js
 * passes in `importPackage` and `moduleUrl`: code from V8's cache can neither import packages nor know its path.
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
  // Renamed into place, because a command may just be starting from the old file.
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
          // Loaded on demand, but from the bundled file.
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
