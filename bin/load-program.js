const { existsSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');
const zlib = require('node:zlib');

const dist = join(__dirname, '../dist');
const modules = join(dist, 'src/main/run-program.js');
const fileOf = (part, kind = 'cjs') => join(dist, 'cli', `${part}.${kind}`);
module.exports = { fileOf, loadProgram, loadBundle, sealCache };

/**
 * The program: out of its bundle where that is built and current, else out of the compiled modules. These serve, too,
 * where lines of the sources are asked for, by --enable-source-maps or to measure coverage. An installed package has the
 * bundle alone.
 */
async function loadProgram() {
  const isTraced = process.sourceMapsEnabled || process.env.NODE_V8_COVERAGE !== undefined;
  if (isCurrent() && !(isTraced && existsSync(modules))) return loadBundle().program;
  return import(pathToFileURL(modules).href);
}

/** Whoever compiles while working on it, and does not build, must not run what was built before. */
function isCurrent() {
  const built = timeOf(fileOf('program'));
  const last = timeOf(join(dist, '.tsbuildinfo'));
  return built !== undefined && (last === undefined || built >= last);
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** The bundle: the file that every start needs. The other one is loaded when something of it is first imported. */
function loadBundle() {
  const loaded = {};
  const loadLater = () => {
    const take = (id) => (id.startsWith('start:') ? program.modules[id.slice(6)]() : require(id));
    loaded.later ??= loadPart('later', Object.assign(take, require));
    const { build, modules } = loaded.later.exports;
    if (build === program.build) return modules;
    throw new Error('The files of this program were replaced while it ran. Run the command again.');
  };
  loaded.program = loadPart('program', require, async (path) => loadLater()[path]());
  const program = loaded.program.exports;
  return { program, loaded, loadLater };
}

/**
 * V8 takes what it compiled before from the cache that was made along with the file. One that belongs to another file or
 * to another Node is left alone, and all is compiled anew: slower, with the same result.
 */
function loadPart(part, require, importLater) {
  const file = fileOf(part);
  const bytes = readFileSync(file);
  // It is all ASCII, which takes half the memory and no decoding. The text is a function already (`wrapper`).
  const script = new Script(bytes.latin1Slice(), {
    filename: file,
    cachedData: readCache(part, bytes),
  });
  const module = { exports: {} };
  script.runInThisContext()(
    module.exports,
    require,
    module,
    file,
    (name) => import(name),
    importLater,
    (path) => new URL(path, pathToFileURL(file)).href,
    pathToFileURL(file).href,
  );
  return { script, exports: module.exports };
}

/** The cache that `sealCache` made of the same `text` by the same Node; undefined where there is none. */
function readCache(part, text) {
  let sealed;
  try {
    sealed = readFileSync(fileOf(part, 'cache'));
  } catch {
    return undefined;
  }
  const data = sealed.subarray(0, -4);
  return sealed.subarray(-4).equals(sealOf(text, data)) ? data : undefined;
}

/** What is to be written as the cache of a file as it is now: what V8 compiled of it, and a seal. */
function sealCache(part, data) {
  return Buffer.concat([data, sealOf(readFileSync(fileOf(part)), data)]);
}

/**
 * V8 itself compares its own version, which all releases of one Node have in common, and the length of the text. Of
 * what another release made, or what was damaged, it dies without a word, so the seal covers all that it relies on.
 */
function sealOf(text, data) {
  // Some early releases lack it, as they lack a cache then.
  if (zlib.crc32 === undefined) return Buffer.alloc(0);
  const { versions, platform, arch } = process;
  const maker = zlib.crc32(JSON.stringify([versions, platform, arch]));
  const seal = Buffer.alloc(4);
  seal.writeUInt32LE(zlib.crc32(data, zlib.crc32(text, maker)));
  return seal;
}
