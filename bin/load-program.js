import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const compiled = new URL('../dist/src/', import.meta.url);
const folder = new URL('../dist/cli/', import.meta.url);
export const bundle = fileURLToPath(new URL('program.cjs', folder));
export const cache = fileURLToPath(new URL('program.cache', folder));

/**
 * The program: out of its one file where that is built and current, else out of the compiled modules. These serve, too,
 * where lines of the sources are asked for, by --enable-source-maps or to measure coverage.
 */
export async function loadProgram() {
  const isTraced = process.sourceMapsEnabled || process.env.NODE_V8_COVERAGE !== undefined;
  if (!isTraced && isCurrent()) return loadBundle().program;
  return import(new URL('main/run-program.js', compiled).href);
}

/** Whoever compiles while working on it, and does not build, must not run what was built before. */
function isCurrent() {
  const built = timeOf(bundle);
  const last = timeOf(fileURLToPath(new URL('../dist/.tsbuildinfo', import.meta.url)));
  return built !== undefined && (last === undefined || built >= last);
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * V8 takes what it compiled before from the cache that was made along with the file. One that another version of Node
 * made, it refuses, and compiles anew: slower, with the same result.
 */
export function loadBundle() {
  // It is all ASCII, which takes half the memory and no decoding.
  const source = readFileSync(bundle, 'latin1');
  const parameters = 'exports, require, module, __filename, importPackage, moduleUrl';
  const script = new Script(`(function (${parameters}) {${source}\n})`, {
    filename: bundle,
    cachedData: readIfPresent(cache),
  });
  const module = { exports: {} };
  script.runInThisContext()(
    module.exports,
    createRequire(bundle),
    module,
    bundle,
    (name) => import(name),
    (path) => new URL(path, compiled).href,
  );
  return { script, program: module.exports };
}

function readIfPresent(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
