import { once } from 'node:events';
import { lstat, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import { fileTrouble } from '../../platform/cli/file-trouble.js';
import { AppError, messageOf } from '../../platform/errors.js';
import { safeJson } from '../../platform/text/printable.js';
import { type EntryRecord, idOfFile, isUuid, uuidsOf } from './entry-record.js';
import { parseMarkdown, renderMarkdown } from './markdown.js';
import { filesIn } from './read-sources.js';

type Records = AsyncIterable<EntryRecord & { id: string }>;

export interface Exported {
  entries: number;
  /** Files in the folder without an entry: an import would restore their entries. */
  stale: number;
  /** True when those files were removed. */
  pruned: boolean;
}

/** No other user of the machine may read drafts and internal knowledge. */
const ownerOnly = 0o600;

/**
 * Writes JSON lines to a stream at its reader's speed. Ends silently when the reader goes away. Rejects for other
 * errors such as a full disk, because half an export is useless.
 */
export async function writeJsonLines(records: Records, stream: Writable): Promise<Exported> {
  let entries = 0;
  // Standard output forgets an error and fails again with each line.
  const faults: NodeJS.ErrnoException[] = [];
  const keep = (fault: NodeJS.ErrnoException) => void faults.push(fault);
  stream.on('error', keep);
  try {
    for await (const record of records) {
      if (stream.destroyed || faults.length > 0) break;
      entries += 1;
      if (stream.write(lineOf(record))) continue;
      await Promise.race([once(stream, 'drain'), once(stream, 'close')]).catch(() => undefined);
    }
    await nextTick();
  } finally {
    stream.off('error', keep);
  }
  const fault = faults.find(({ code }) => code !== 'EPIPE');
  if (fault !== undefined) throw fault;
  return { entries, stale: 0, pruned: false };
}

/** Safe on a terminal: texts of PDFs may hold control characters. */
function lineOf(record: EntryRecord): string {
  return `${safeJson(record)}\n`;
}

/** Writes JSON lines to a file. The file is replaced only after the last line. Refuses with `usage`. */
export async function writeJsonFile(records: Records, path: string): Promise<Exported> {
  const partial = partOf(path);
  await rm(partial, { force: true });
  const file = await open(partial, 'wx', ownerOnly).catch(unwritable(path));
  try {
    let entries = 0;
    for await (const record of records) {
      entries += 1;
      await file.write(lineOf(record));
    }
    await file.close();
    await rename(partial, path);
    return { entries, stale: 0, pruned: false };
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}

const fileOfEntry = /(?:^|\.)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.md$/;

/**
 * Writes one Markdown file per entry. An entry goes back to the file that it came from, in any subfolder and under any
 * name, so that people and the program can edit the same folder. A new entry gets a file named after its title and
 * uuid. `organizationId` is the owner of the entries. Refuses with `usage` an unwritable folder.
 */
export async function writeFolder(
  records: Records,
  folder: string,
  { prune, organizationId }: { prune: boolean; organizationId: number },
): Promise<Exported> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(unwritable(folder));
  const { files, exported } = await findFiles(folder, organizationId);
  const written = new Set<string>();
  let entries = 0;
  for await (const record of records) {
    const name = files.get(record.id) ?? `${slugOf(record.title ?? '')}.${record.id}.md`;
    await replaceFile(join(folder, name), renderMarkdown(record)).catch(unwritable(folder));
    written.add(name);
    entries += 1;
  }
  // After a merge or copy, two files may contain one entry. One of them is stale, because an import refuses both.
  const stale = exported.filter((name) => !written.has(name));
  if (prune) for (const name of stale) await rm(join(folder, name));
  return { entries, stale: stale.length, pruned: prune };
}

/** The first file of each entry, by uuid, and all files that an export has written before. */
async function findFiles(
  folder: string,
  organizationId: number,
): Promise<{ files: Map<string, string>; exported: string[] }> {
  const names = (await readdir(folder)).filter((name) => fileOfEntry.test(name));
  for await (const name of filesIn(folder)) {
    if (name.endsWith('.md') && !names.includes(name)) names.push(name);
  }
  const files = new Map<string, string>();
  const exported: string[] = [];
  for (const name of names.sort()) {
    const id = (await readId(join(folder, name))) ?? fileOfEntry.exec(name)?.[1];
    if (id !== undefined && isUuid(id)) exported.push(name);
    for (const uuid of uuidsOf(organizationId, id ?? idOfFile(name))) {
      if (!files.has(uuid)) files.set(uuid, name);
    }
  }
  return { files, exported };
}

/** The id that a file names. Undefined for links, and for files that name none or are no entries. */
async function readId(path: string): Promise<string | undefined> {
  if (!(await lstat(path)).isFile()) return undefined;
  try {
    return parseMarkdown(await readFile(path, 'utf8')).id;
  } catch {
    return undefined;
  }
}

/** Written beside it and renamed: a link with that name is replaced, never followed. */
async function replaceFile(path: string, text: string): Promise<void> {
  const partial = partOf(path);
  await rm(partial, { force: true });
  try {
    await writeFile(partial, text, { mode: ownerOnly, flag: 'wx' });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** The temporary file beside the target; unique, so that two exports do not write into one file. */
function partOf(path: string): string {
  return `${path}.${process.pid}.partial`;
}

/** Letters and digits of a title, so that people find a file by it; never a path. */
function slugOf(title: string): string {
  const plain = title.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const slug = plain.replaceAll(/[^a-z0-9]+/g, '-').slice(0, 60);
  return slug.replaceAll(/^-|-$/g, '') || 'entry';
}

function unwritable(path: string): (error: unknown) => never {
  return (error) => {
    const trouble = fileTrouble(error);
    if (trouble?.code === 'no_space') throw trouble;
    throw new AppError('usage', `${path} can't be written (${messageOf(error)}).`, {
      cause: error,
    });
  };
}
