import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { groupBy } from '../../src/platform/group-by.js';
import { messageOf } from '../../src/platform/errors.js';
import { readDocuments, sha256Of, type DocumentSet, type SampleDocument } from './documents.js';
import { saveAs } from './office.js';

const run = promisify(execFile);

interface Settings {
  folder: string;
  set: DocumentSet;
  /** Only documents of this kind. */
  kind: string | undefined;
}

/** Fetches the packages one after the other, so that at most one of them takes room on the disk. */
export async function fetchDocuments({ folder, kind, set }: Settings): Promise<void> {
  await requireApt();
  await mkdir(folder, { recursive: true });
  const missing: SampleDocument[] = [];
  for (const document of await readDocuments()) {
    const isWanted = document.set === set && (kind === undefined || document.kind === kind);
    if (isWanted && !(await isThere(folder, document))) missing.push(document);
  }
  const failures: string[] = [];
  for (const documents of groupBy(missing, (each) => `${each.package} ${each.source}`).values()) {
    const name = documents[0]?.package ?? '';
    try {
      await fetchPackage(name, documents, folder);
      console.log(`${name}: ${documents.map(({ file }) => file).join(', ')}`);
    } catch (error) {
      failures.push(`${name}: ${messageOf(error)}`);
    }
  }
  if (failures.length > 0) throw new Error(failures.join('\n'));
  console.log(`All ${set} documents are in ${folder}`);
}

async function requireApt(): Promise<void> {
  for (const program of ['apt-get', 'dpkg']) {
    await run(program, ['--version']).catch(() => {
      throw new Error(
        `${program} is missing. The documents come from Debian packages: run this command on Debian 12, or in a container of it.`,
      );
    });
  }
}

async function isThere(
  folder: string,
  { converted, file, sha256 }: SampleDocument,
): Promise<boolean> {
  const content = await readFile(join(folder, file)).catch(() => undefined);
  return content !== undefined && (converted === true || sha256Of(content) === sha256);
}

async function fetchPackage(
  name: string,
  documents: readonly SampleDocument[],
  folder: string,
): Promise<void> {
  const kind = documents[0]?.source === true ? 'source' : 'binary';
  await withPackage(name, kind, async (place, archive) => {
    for (const document of documents) {
      const content = await unpack(join(place, document.path));
      if (sha256Of(content) !== document.sha256) {
        throw new Error(
          `${document.path} in ${archive} is not the file of version ${document.version}, which the figures were measured with.`,
        );
      }
      await store(content, document, folder);
    }
  });
}

/** Downloads a package of Debian and unpacks it into a folder that is there until `use` resolves. */
export async function withPackage(
  name: string,
  kind: 'binary' | 'source',
  use: (folder: string, archive: string) => Promise<void>,
): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), 'documents-'));
  try {
    const [archive, ...others] = await download(name, kind, place);
    if (archive === undefined) throw new Error('apt-get downloaded no file.');
    const content = join(place, 'content');
    await mkdir(content);
    if (kind === 'binary') await run('dpkg', ['-x', archive, content], { cwd: place });
    else
      for (const file of [archive, ...others]) {
        await run('tar', ['-xf', file, '--strip-components=1', '-C', content], { cwd: place });
      }
    await use(content, archive);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** The archives of a package. Sources need a line for them in the settings of apt (`Types: deb deb-src`). */
async function download(name: string, kind: 'binary' | 'source', place: string): Promise<string[]> {
  const what = kind === 'source' ? ['source', '--download-only', '--only-source'] : ['download'];
  const failed = await run('apt-get', [...what, '--quiet', name], { cwd: place }).then(
    () => undefined,
    (error: unknown) => messageOf(error),
  );
  const archives = (await readdir(place)).filter((file) => /\.deb$|\.tar\.\w+$/.test(file));
  // Of a source package, the archive with the documents may be there without that of Debian's own changes.
  if (failed !== undefined && archives.length === 0) {
    throw new Error(
      `apt-get could not download the package. Run \`apt-get update\` first, then try again. (${lastLine(failed)})`,
    );
  }
  return archives;
}

async function store(
  content: Uint8Array,
  { converted, file, path }: SampleDocument,
  folder: string,
): Promise<void> {
  if (converted === undefined) {
    await writeFile(join(folder, file), content);
    return;
  }
  const place = await mkdtemp(join(tmpdir(), 'documents-'));
  try {
    const source = join(place, file.replace(/[^.]+$/, extname(path.replace(/\.gz$/, '')).slice(1)));
    await writeFile(source, content);
    await copyFile(await saveAs(source, extname(file).slice(1), place), join(folder, file));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Reads a file of a package, decompressed if the package compresses it. */
export async function unpack(path: string): Promise<Uint8Array> {
  const content = await readFile(path);
  return path.endsWith('.gz') ? gunzipSync(content) : content;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
