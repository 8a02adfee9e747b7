import { readFile, rename } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { packageRoot } from '../platform/package-root.js';
import { writeLicences } from './write-licences.js';

/** Native packages, which can't be bundled. An installation has them beside the program. */
export const installedBeside = ['@node-rs/argon2', 'sqlite3'];

/** Optional drivers that knex names; never installed. */
const drivers =
  /^(better-sqlite3|mariadb|mysql2?|oracledb|pg|pg-native|pg-query-stream|tedious)(\/|$)/;

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

const common = {
  bundle: true,
  metafile: true,
  logLevel: 'silent',
  platform: 'node',
  target: 'node20',
  // Each start reads all of it. Names stay, since stacks show them. Lines stay short: Node prints the one that failed.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
} as const;

/** Where the thread's file is in `dist/src`, and in the bundle: the pool looks for it beside its own module. */
const thread = 'pdf/threads/pdf-thread.js';

/**
 * Writes what production runs into `out`, and returns the size of the program in bytes: the compiled program as the
 * single file `program.cjs`, the file of the PDF threads, and the licences of the packages inside both. All packages
 * are inside, except native ones (`installedBeside`). One file
 * starts several times faster than hundreds. An action's imports are still initialized only when it runs.
 * bin/load-program.js passes in `importPackage`, `moduleUrl` and `bundleUrl`: code from V8's cache can neither import
 * packages nor know its path.
 */
export async function buildCli(out: string, root = packageRoot()): Promise<number> {
  const { build } = await import('esbuild');
  const compiled = join(root, 'dist/src');
  const file = join(out, 'program.part.cjs');
  const threads = await build({
    ...common,
    ...{ absWorkingDir: root, format: 'esm', external: installedBeside },
    entryPoints: [join(compiled, thread)],
    outfile: join(out, thread),
  });
  const program = await build({
    ...common,
    ...{ absWorkingDir: root, format: 'cjs' },
    entryPoints: [join(compiled, 'main/run-program.js')],
    outfile: file,
    // What packages know of their own place.
    define: { 'import.meta.url': 'bundleUrl' },
    plugins: [leaveOut(compiled)],
  });
  const written = program.metafile.outputs[relative(root, file).replaceAll('\\', '/')];
  const imported = written?.imports.find(({ kind }) => kind === 'dynamic-import');
  if (imported !== undefined) throw new Error(`program.cjs imports ${imported.path} by itself.`);
  const inside: Metafile['inputs'] = { ...program.metafile.inputs, ...threads.metafile.inputs };
  await writeLicences(root, Object.keys(inside), join(out, 'LICENCES.txt'));
  // Renamed into place, because a command may just be starting from the old file.
  await rename(file, join(out, 'program.cjs'));
  return written?.bytes ?? 0;
}

/**
 * Writes the part of OpenTelemetry that is used as the file `telemetry.cjs` into `out`; returns its size in bytes. It is
 * loaded only when a collector is set. Its packages are needed to build it and not to run it.
 */
export async function buildTelemetry(out: string, root = packageRoot()): Promise<number> {
  const { build } = await import('esbuild');
  const file = join(out, 'telemetry.part.cjs');
  const { metafile } = await build({
    ...{ absWorkingDir: root, bundle: true, minify: true, metafile: true, logLevel: 'silent' },
    ...{ platform: 'node', target: 'node20', format: 'cjs', mainFields: ['module', 'main'] },
    banner: {
      js: '/* Holds OpenTelemetry for JavaScript, (c) The OpenTelemetry Authors, Apache-2.0. */',
    },
    entryPoints: [join(root, 'dist/src/main/telemetry/open-telemetry.js')],
    outfile: file,
  });
  await rename(file, join(out, 'telemetry.cjs'));
  return metafile.outputs[relative(root, file).replaceAll('\\', '/')]?.bytes ?? 0;
}

function leaveOut(compiled: string): Plugin {
  return {
    name: 'leave-out',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point') return undefined;
        return installedBeside.includes(path) || drivers.test(path)
          ? { path, external: true }
          : undefined;
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
          .replaceAll(/\bimport\('((?:node:)?[^.'][^']*)'\)/g, (whole, wanted: string) =>
            wanted.startsWith('node:') || installedBeside.includes(wanted)
              ? `importPackage('${wanted}')`
              : whole,
          );
        return { contents, loader: 'js' };
      });
    },
  };
}
