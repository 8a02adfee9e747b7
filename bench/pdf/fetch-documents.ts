import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { AppError, messageOf } from '../../src/platform/errors.js';
import { runProgram } from '../run-program.js';
import {
  documentSets,
  readDocuments,
  sha256Of,
  type DocumentSet,
  type SampleDocument,
} from './documents.js';

const run = promisify(execFile);

interface Settings {
  folder: string;
  set: DocumentSet;
}

/** Fetches the packages one after the other, so that at most one of them takes room on the disk. */
async function fetchDocuments({ folder, set }: Settings): Promise<void> {
  await requireApt();
  await mkdir(folder, { recursive: true });
  const missing: SampleDocument[] = [];
  for (const document of await readDocuments()) {
    if (document.set === set && !(await isThere(folder, document))) missing.push(document);
  }
  const failures: string[] = [];
  for (const name of new Set(missing.map((document) => document.package))) {
    const documents = missing.filter((document) => document.package === name);
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

async function isThere(folder: string, { file, sha256 }: SampleDocument): Promise<boolean> {
  const content = await readFile(join(folder, file)).catch(() => undefined);
  return content !== undefined && sha256Of(content) === sha256;
}

async function fetchPackage(
  name: string,
  documents: readonly SampleDocument[],
  folder: string,
): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), 'documents-'));
  try {
    await run('apt-get', ['download', '--quiet', name], { cwd: place }).catch((error: unknown) => {
      throw new Error(
        `apt-get could not download the package. Run \`apt-get update\` first, then try again. (${lastLine(messageOf(error))})`,
      );
    });
    const [archive] = await readdir(place);
    if (archive === undefined) throw new Error('apt-get downloaded no file.');
    await run('dpkg', ['-x', archive, 'content'], { cwd: place });
    for (const document of documents) {
      const content = await unpack(join(place, 'content', document.path));
      if (sha256Of(content) !== document.sha256) {
        throw new Error(
          `${document.path} in ${archive} is not the file of version ${document.version}, which the figures were measured with.`,
        );
      }
      await writeFile(join(folder, document.file), content);
    }
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function unpack(path: string): Promise<Uint8Array> {
  const content = await readFile(path);
  return path.endsWith('.gz') ? gunzipSync(content) : content;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

function readArguments(): Settings {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { set: { type: 'string', default: 'development' } },
  });
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) {
    throw new AppError('usage', 'Name one folder: npm run eval:documents -- <folder>');
  }
  const set = documentSets.find((name) => name === values.set);
  if (set === undefined) {
    throw new AppError(
      'usage',
      `--set: there is no set ${values.set}; use ${documentSets.join(' or ')}.`,
    );
  }
  return { folder: resolve(folder), set };
}

const usage = {
  command: 'npm run eval:documents -- <folder>',
  about: 'Fetches the real PDFs of bench/pdf/documents.json from Debian packages into a folder.',
  options: { '--set <name>': `${documentSets.join(' or ')} (default: development)` },
};

await runProgram(usage, () => fetchDocuments(readArguments()));
