const { existsSync, readFileSync, statSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');
const zlib = require('node:zlib');

const dist = join(__dirname, '../dist');
const modules = join(dist, 'src/main/run-program.js');
const bundle = join(dist, 'cli/program.cjs');
const cache = join(dist, 'cli/program.cache');
module.exports = { bundle, cache, loadProgram, loadBundle, sealCache };

/**
 * The program: out of its one file where that is built and current, else out of the compiled modules. These serve, too,
 * where lines of the sources are asked for, by --enable-source-maps or to measure coverage. An installed package has the
 * one file alone.
 */
async function loadProgram() {
  const isTraced = process.sourceMapsEnabled || process.env.NODE_V8_COVERAGE !== undefined;
  if (isCurrent() && !(isTraced && existsSync(modules))) return loadBundle().program;
  return import(pathToFileURL(modules).href);
}

/** Whoever compiles while working on it, and does not build, must not run what was built before. */
function isCurrent() {
  const built = timeOf(bundle);
  const last = timeOf(join(dist, '.tsbuildinfo'));
  return built !== undefined && (last === undefined || built >= last);
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * V8 takes what it compiled before from the cache that was made along with the file. One that belongs to another file or
 * to another Node is left alone, and all is compiled anew: slower, with the same result.
 */
function loadBundle() {
  const bytes = readFileSync(bundle);
  // It is all ASCII, which takes half the memory and no decoding.
  const source = bytes.latin1Slice();
  const parameters = 'exports, require, module, __filename, importPackage, moduleUrl, bundleUrl';
  const script = new Script(`(function (${parameters}) {${source}\n})`, {
    filename: bundle,
    cachedData: readCache(bytes),
  });
  const module = { exports: {} };
  script.runInThisContext()(
    module.exports,
    createRequire(bundle),
    module,
    bundle,
    (name) => import(name),
    (path) => new URL(path, pathToFileURL(bundle)).href,
    pathToFileURL(bundle).href,
  );
  return { script, program: module.exports };
}

/** The cache that `sealCache` made of the same `program` by the same Node; undefined where there is none. */
function readCache(program) {
  let sealed;
  try {
    sealed = readFileSync(cache);
  } catch {
    return undefined;
  }
  const data = sealed.subarray(0, -4);
  return sealed.subarray(-4).equals(sealOf(program, data)) ? data : undefined;
}

/** What is to be written as the cache of the bundle as it is now: what V8 compiled of it, and a seal. */
function sealCache(data) {
  return Buffer.concat([data, sealOf(readFileSync(bundle), data)]);
}

/**
 * V8 itself compares its own version, which all releases of one Node have in common, and the length of the program. Of
 * what another release made, or what was damaged, it dies without a word, so the seal covers all that it relies on.
 */
function sealOf(program, data) {
  // Some early releases lack it, as they lack a cache then.
  if (zlib.crc32 === undefined) return Buffer.alloc(0);
  const { versions, platform, arch } = process;
  const maker = zlib.crc32(JSON.stringify([versions, platform, arch]));
  const seal = Buffer.alloc(4);
  seal.writeUInt32LE(zlib.crc32(data, zlib.crc32(program, maker)));
  return seal;
}
