import { once } from 'node:events';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import { fileTrouble } from '../../platform/cli/file-trouble.js';
import { AppError, messageOf } from '../../platform/errors.js';
import type { EntryRecord } from './entry-record.js';
import { renderMarkdown } from './markdown.js';

type Records = AsyncIterable<EntryRecord & { id: string }>;

/** What an export has written. */
export interface Exported {
  entries: number;
  /** Files in the folder of entries that it does not have (any more): as an import would bring them back. */
  stale: number;
  /** Whether those were removed. */
  pruned: boolean;
}

/** Drafts and internal knowledge are for nobody else on the machine. */
const ownerOnly = 0o600;

/**
 * Writes JSON lines to a stream, as fast as its reader takes them; ends quietly when the reader goes away. Rejects with
 * what else the stream fails with, as on a full disk: half an export is none.
 */
export async function writeJsonLines(records: Records, stream: Writable): Promise<Exported> {
  let entries = 0;
  // Standard output forgets that it has failed, and fails anew with each line.
  const faults: NodeJS.ErrnoException[] = [];
  const keep = (fault: NodeJS.ErrnoException) => void faults.push(fault);
  stream.on('error', keep);
  try {
    for await (const record of records) {
      if (stream.destroyed || faults.length > 0) break;
      entries += 1;
      if (stream.write(`${JSON.stringify(record)}\n`)) continue;
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

/** Writes JSON lines to a file, which is as it was until the last line is written. Refuses with `usage`. */
export async function writeJsonFile(records: Records, path: string): Promise<Exported> {
  const partial = partOf(path);
  await rm(partial, { force: true });
  const file = await open(partial, 'wx', ownerOnly).catch(unwritable(path));
  try {
    let entries = 0;
    for await (const record of records) {
      entries += 1;
      await file.write(`${JSON.stringify(record)}\n`);
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
 * Writes a Markdown file for each entry. A file keeps the name that it has, whatever its entry is called by now, so
 * that a version control system shows what has changed. Refuses with `usage` a folder that can't be written.
 */
export async function writeFolder(
  records: Records,
  folder: string,
  { prune }: { prune: boolean },
): Promise<Exported> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(unwritable(folder));
  const present = new Map<string, string>();
  // Of two files of one entry, as a merge or a copy leaves them, one is stale: no import takes both.
  const stale: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const uuid = fileOfEntry.exec(name)?.[1];
    if (uuid === undefined) continue;
    if (present.has(uuid)) stale.push(name);
    else present.set(uuid, name);
  }
  let entries = 0;
  for await (const record of records) {
    const name = present.get(record.id) ?? `${slugOf(record.title ?? '')}.${record.id}.md`;
    present.delete(record.id);
    await replaceFile(join(folder, name), renderMarkdown(record)).catch(unwritable(folder));
    entries += 1;
  }
  stale.push(...present.values());
  if (prune) for (const name of stale) await rm(join(folder, name));
  return { entries, stale: stale.length, pruned: prune };
}

/** Written beside and put in place: a link of that name is replaced, never followed. */
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

/** Where a file is written that is to take another's place; two exports at once do not write into one. */
function partOf(path: string): string {
  return `${path}.${process.pid}.partial`;
}

/** Letters and digits of a title, for people to find a file by; never a path. */
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
