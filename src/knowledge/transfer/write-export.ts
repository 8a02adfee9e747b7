import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { replaceFile, unwritable } from '../../platform/cli/write-text.js';
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

/** The entries as lines that are safe on a terminal: texts of PDFs may hold control characters. */
export async function* jsonLines(records: AsyncIterable<EntryRecord>): AsyncGenerator<string> {
  for await (const record of records) yield `${safeJson(record)}\n`;
}

const fileOfEntry = /(?:^|\.)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.md$/;

/**
 * Writes one Markdown file per entry. An entry goes back to the file that it came from, in any subfolder and under any
 * name, so that people and the program can edit the same folder. A new entry gets a file named after its title and
 * uuid. `organizationId` is the owner of the entries. Errors: `usage` for an unwritable folder.
 */
export async function writeFolder(
  records: Records,
  folder: string,
  { prune, organizationId }: { prune: boolean; organizationId: number },
): Promise<Exported> {
  await makeFolder(resolve(folder)).catch(unwritable(folder));
  const { files, exported } = await findFiles(folder, organizationId);
  const written = new Set<string>();
  let entries = 0;
  for await (const record of records) {
    const name = files.get(record.id) ?? `${slugOf(record.title ?? '')}.${record.id}.md`;
    await replaceFile(join(folder, name), [renderMarkdown(record)]);
    written.add(name);
    entries += 1;
  }
  // After a merge or copy, two files may contain one entry. One of them is stale, because an import refuses both.
  const stale = exported.filter((name) => !written.has(name));
  if (prune) for (const name of stale) await rm(join(folder, name));
  return { entries, stale: stale.length, pruned: prune };
}

/** Not by Node's recursive mkdir: on a read-only file system, it calls a folder missing that is there. */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 });
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

/** Letters and digits of a title, so that people find a file by it; never a path. */
function slugOf(title: string): string {
  const plain = title.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const slug = plain.replaceAll(/[^a-z0-9]+/g, '-').slice(0, 60);
  return slug.replaceAll(/^-|-$/g, '') || 'entry';
}
