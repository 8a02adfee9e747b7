import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { entryWith, modulesOf, splitProgram, takingShared } from './split-program.js';

/** Native packages, which can't be bundled. An installation has them beside the program. */
export const installedBeside = ['@node-rs/argon2', 'sqlite3'];

/** Optional drivers that knex names; never installed. */
const drivers =
  /^(better-sqlite3|mariadb|mysql2?|oracledb|pg-native|pg-query-stream|tedious)(\/|$)/;

/** Unused code that takes time to load: zod's messages in 50 languages, and knex's other databases. */
const unused =
  /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$|[/\\]knex[/\\]lib[/\\]dialects[/\\](?!sqlite3[/\\]|postgres[/\\]|index\.js)/;

export const withoutUnused: Plugin = {
  name: 'without-unused',
  setup(build) {
    build.onResolve({ filter: drivers }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /[/\\](?:knex|zod)[/\\]/ }, ({ path }) => {
      if (!unused.test(path)) return undefined;
      return { contents: path.includes('zod') ? 'export {};' : 'module.exports = {};' };
    });
  },
};

/** Packages that load parts at their start, or in every case. Edited to load them at the first use, or not at all. */
const late: [file: RegExp, edit: (text: string) => string][] = [
  // The client of PostgreSQL is loaded only for a database of that.
  [
    /[/\\]knex[/\\]lib[/\\]dialects[/\\]index\.js$/,
    (text) => text.replace("require('./postgres')", '{}'),
  ],
  [
    /[/\\]commander[/\\]lib[/\\]command\.js$/,
    (text) =>
      text
        .replace(/^const childProcess = .*;$/m, '')
        .replaceAll(/\bchildProcess\./g, "require('node:child_process')."),
  ],
  [
    /[/\\]lru-cache[/\\].*\.js$/,
    (text) =>
      text.replace(/typeof performance ?={2,3}.*?: ?Date\b/s, '{now:()=>performance.now()}'),
  ],
];

/** esbuild options of all files of the program. */
export const common = {
  bundle: true,
  metafile: true,
  logLevel: 'silent',
  platform: 'node',
  target: 'node20',
  // Every start reads the whole file. Names are kept for stacks. Lines are short because Node
  // prints the failing one.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
} as const;

/**
 * Modules of the second file: the server, and packages that are imported on demand. Not those that find files for
 * `ingest`: loading the second file takes longer than finding 200 files.
 */
const apart =
  /^dist\/src\/(?:main\/(?:serve|run-demo)|platform\/db\/open-postgres)\.js$|^node_modules\/(?!(?:tinyglobby|fdir|picomatch)\/)/;

/**
 * bin/load-program.js calls each file with these arguments. It wraps no text itself, because that would copy the file.
 */
const wrapper = {
  banner: {
    js: '(function (exports, require, module, __filename, importPackage, importLater, moduleUrl, bundleUrl) {',
  },
  footer: { js: '})' },
};

/** The program's files by their names, and all modules inside. Throws if one module is in both files. */
export async function bundleProgram(
  root: string,
): Promise<{ files: Record<string, Uint8Array>; modules: string[] }> {
  const { build } = await import('esbuild');
  const bundle = async (contents: string, plugins: Plugin[]) => {
    const { metafile, outputFiles } = await build({
      ...common,
      ...wrapper,
      absWorkingDir: root,
      format: 'cjs',
      write: false,
      // Packages read their own location from it.
      define: { 'import.meta.url': 'bundleUrl' },
      stdin: { contents, resolveDir: root },
      plugins: [withoutUnused, ...plugins],
    });
    const imported = Object.values(metafile.outputs)
      .flatMap(({ imports }) => imports)
      .find(({ kind }) => kind === 'dynamic-import');
    if (imported !== undefined) throw new Error(`A bundle imports ${imported.path} by itself.`);
    return { metafile, contents: inAscii(outputFiles[0]?.text ?? '') };
  };

  const entry = 'dist/src/main/run-program.js';
  const run = `export { runProgram } from './${entry}';`;
  const whole = await bundle(run, [leaveOut(root, () => undefined)]);
  const split = splitProgram(whole.metafile, entry, (path) => apart.test(path));
  const hash = createHash('sha256').update(whole.contents).digest('base64');
  const stamp = `export const build = '${hash}';`;
  const plugin = leaveOut(root, (importer, original) => {
    const path = split.starting.has(importer) ? split.find(importer, original) : undefined;
    return path !== undefined && !split.starting.has(path) ? path : undefined;
  });
  const program = await bundle(entryWith(split.shared, 'require', run + stamp), [plugin]);
  const later = await bundle(entryWith(split.doors, 'import', stamp), [
    takingShared(split, whole.metafile, (file) => nameIn(root, file)),
    plugin,
  ]);
  const files = { 'later.cjs': later.contents, 'program.cjs': program.contents };
  return { files, modules: modulesOf(program.metafile, later.metafile) };
}

/** esbuild writes strings in ASCII, but not regular expressions: bin/load-program.js would read other signs there. */
function inAscii(text: string): Uint8Array {
  const escaped = text.replaceAll(
    /[^\0-\x7F]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return Buffer.from(escaped, 'latin1');
}

/** `findLater` gives the path of an imported module of the other file. */
function leaveOut(
  root: string,
  findLater: (importer: string, original: string) => string | undefined,
): Plugin {
  const compiled = join(root, 'dist/src');
  return {
    name: 'leave-out',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point') return undefined;
        return installedBeside.includes(path) ? { path, external: true } : undefined;
      });
      // Requiring the module would open standard input, output and error.
      build.onResolve({ filter: /^(node:)?process$/ }, () => ({
        path: 'process',
        namespace: 'global',
      }));
      build.onLoad({ filter: /./, namespace: 'global' }, ({ path }) => ({
        contents: `module.exports = ${path};`,
      }));
      build.onLoad({ filter: /\.js$/ }, async ({ path }) => {
        const edit = late.find(([file]) => file.test(path))?.[1];
        if (edit !== undefined) return { contents: edit(await readFile(path, 'utf8')) };
        if (!path.startsWith(compiled)) return undefined;
        const name = JSON.stringify(nameIn(compiled, path));
        const text = await readFile(path, 'utf8');
        const contents = text
          // Loaded on demand, but from the bundled file.
          .replaceAll("load('string-width')", "require('string-width')")
          .replaceAll('import.meta.url', `moduleUrl(${name})`)
          .replaceAll(/\bimport\('([^']+)'\)/g, (whole, wanted: string) => {
            if (wanted.startsWith('node:') || installedBeside.includes(wanted)) {
              return `importPackage('${wanted}')`;
            }
            const later = findLater(nameIn(root, path), wanted);
            return later === undefined ? whole : `importLater(${JSON.stringify(later)})`;
          });
        return { contents, loader: 'js' };
      });
    },
  };
}

function nameIn(folder: string, file: string): string {
  return relative(folder, file).replaceAll('\\', '/');
}
