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
 * Loads the program from its bundle if that is current, else from the compiled modules. It also uses the modules when
 * lines of the sources are needed: with --enable-source-maps, or to measure coverage. An installed package has only the
 * bundle.
 */
async function loadProgram() {
  const isTraced = process.sourceMapsEnabled || process.env.NODE_V8_COVERAGE !== undefined;
  if (isCurrent() && !(isTraced && existsSync(modules))) return loadBundle().program;
  return import(pathToFileURL(modules).href);
}

/** False when the modules were compiled after the bundle: a developer must never run old code. */
function isCurrent() {
  const built = timeOf(fileOf('program'));
  const last = timeOf(join(dist, '.tsbuildinfo'));
  return built !== undefined && (last === undefined || built >= last);
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** Loads the part that every start needs. The other part is loaded with the first import of something in it. */
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
 * Runs a part with V8's compiled code from the cache of the build. A cache of another file or another Node is ignored:
 * V8 then compiles everything anew, which is slower and has the same result.
 */
function loadPart(part, require, importLater) {
  const file = fileOf(part);
  const bytes = readFileSync(file);
  // The file is ASCII, so this needs half the memory and no decoding. Its text is already a function (`wrapper`).
  const script = new Script(bytes.latin1Slice(), {
    // V8 keeps the name in the cache, so the path of the machine that built the program would stay in each stack.
    filename: `assistant/${part}.cjs`,
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

/** The cache that `sealCache` made of the same `text` with the same Node; undefined without one. */
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

/** The bytes of the cache for the present file: V8’s compiled code, and a seal. */
function sealCache(part, data) {
  return Buffer.concat([data, sealOf(readFileSync(fileOf(part)), data)]);
}

/**
 * V8 itself compares only its own version, which all releases of a Node version share, and the length of the text. A
 * cache of another release or a damaged one makes it crash silently, so the seal covers everything that V8 relies on.
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
