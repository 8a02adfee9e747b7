import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { packageRoot } from '../platform/package-root.js';
import { bundleProgram, common, installedBeside, withoutUnused } from './bundle-program.js';

/** The threads' files, in `dist/src` and in the bundle: what starts a thread expects its file beside its own module. */
const threadFiles = [
  'documents/document-thread.js',
  'accounts/users/password-thread.js',
  'search/search-thread.js',
];

/**
 * Writes what production runs into `out`, and returns the sizes of the program's files in bytes: the compiled program as
 * `program.cjs`, which each start reads, and `later.cjs` (`apart`), the files of the threads, and the licences of the
 * packages inside all. All packages are inside, except native ones (`installedBeside`). Two files start several times
 * faster than hundreds. An action's imports are still initialized only when it runs.
 * bin/load-program.js passes in `importPackage`, `importLater`, `moduleUrl` and `bundleUrl`: code from V8's cache can
 * neither import packages nor know its path.
 */
export async function buildCli(out: string, root = packageRoot()): Promise<Record<string, number>> {
  const { build } = await import('esbuild');
  const compiled = join(root, 'dist/src');
  const threads = await build({
    ...common,
    absWorkingDir: root,
    format: 'esm',
    external: installedBeside,
    plugins: [withoutUnused],
    // Packages that are no modules require those of Node. No package may import by the name that is used here.
    banner: {
      js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);",
    },
    entryPoints: threadFiles.map((file) => join(compiled, file)),
    outdir: out,
    outbase: compiled,
  });
  const { files, modules } = await bundleProgram(root);
  await writeLicences(
    root,
    [...modules, ...Object.keys(threads.metafile.inputs)],
    join(out, 'LICENCES.txt'),
  );
  // A command may be starting from the old file, so the new one is renamed into place. The starting
  // file comes last.
  const sizes: Record<string, number> = {};
  for (const [name, contents] of Object.entries(files)) {
    await writeFile(join(out, `${name}.part`), contents);
    await rename(join(out, `${name}.part`), join(out, name));
    sizes[name] = contents.length;
  }
  return sizes;
}

/**
 * Writes the part of OpenTelemetry that is used as the file `telemetry.cjs` into `out`; returns its size in bytes. It is
 * loaded only when a collector is set. Its packages are needed to build it and not to run it.
 */
export async function buildTelemetry(out: string, root = packageRoot()): Promise<number> {
  const { build } = await import('esbuild');
  const file = join(out, 'telemetry.part.cjs');
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    metafile: true,
    logLevel: 'silent',
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    mainFields: ['module', 'main'],
    banner: {
      js: '/* Holds OpenTelemetry for JavaScript, (c) The OpenTelemetry Authors, Apache-2.0. */',
    },
    entryPoints: [join(root, 'dist/src/main/telemetry/open-telemetry.js')],
    outfile: file,
  });
  await rename(file, join(out, 'telemetry.cjs'));
  return metafile.outputs[relative(root, file).replaceAll('\\', '/')]?.bytes ?? 0;
}

/** The folder of the package that a file belongs to, the innermost one. */
const packageOf = /^.*node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/;
const licenceName = /^(licen[cs]e|copying|notice)/i;

/**
 * Writes one file with name, version and licence of each package that the named files belong to. Most licences ask for
 * it. Throws for a package that names no licence. `files` are relative to `root`.
 */
async function writeLicences(root: string, files: string[], target: string): Promise<void> {
  const folders = new Set(files.flatMap((file) => packageOf.exec(file)?.[0] ?? []));
  const texts = await Promise.all([...folders].sort().map((one) => licenceOf(join(root, one))));
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  await writeFile(target, `${[...new Set(texts)].join(rule)}\n`);
}

async function licenceOf(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'package.json'), 'utf8');
  const { name, version, license } = JSON.parse(text) as Record<string, string | undefined>;
  const named = (await readdir(folder)).filter((file) => licenceName.test(file)).sort();
  const texts = await Promise.all(named.map((file) => readFile(join(folder, file), 'utf8')));
  if (typeof license !== 'string') throw new Error(`The package ${name} names no licence.`);
  return [`${name} ${version} (${license})`, ...texts.map((one) => one.trim())].join('\n\n');
}
