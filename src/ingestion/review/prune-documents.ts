import { lstat } from 'node:fs/promises';
import { recordChange } from '../../audit/record-change.js';
import { nameOf, requirePermission, type Actor, type Member } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { leaveDocument } from '../../knowledge/document-entries.js';
import { findEntriesWhere } from '../../knowledge/entry-lists.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import { presentEntry } from '../../knowledge/knowledge.schema.js';
import { findReadings } from '../batches/batches.repository.js';
import { deleteBatch } from './review-batch.js';
import {
  findDocumentsBelow,
  findPathOf,
  movePath,
  type DocumentOfFile,
} from '../batches/source-paths.repository.js';

/** A document whose file is gone, and what pruning it comes to. */
export interface GoneDocument extends DocumentOfFile {
  /** Entries that are taken back. */
  published: number;
  /** Drafts that are deleted. */
  drafts: number;
}

export interface Folders {
  appId: number;
  domain: string | null;
  /** Absolute. */
  folders: readonly string[];
  /** Batches whose bytes lie somewhere still, under another name. */
  present: ReadonlySet<string>;
}

/**
 * The documents of an app and domain that were last read from a file below one of the folders, where no file is any
 * more. What can't be looked at counts as there.
 */
export async function findGoneDocuments(
  app: App,
  actor: Actor,
  { appId, domain, folders, present }: Folders,
): Promise<GoneDocument[]> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const gone = new Map<string, GoneDocument>();
  for (const folder of folders) {
    const known = await findDocumentsBelow(app, { organizationId, appId, domain }, folder);
    for (const one of known) {
      if (present.has(one.batchId) || gone.has(one.document) || !(await isGone(one.path))) continue;
      const { document } = one;
      const entries = await findEntriesWhere(app, { organizationId, document });
      const published = entries.filter(({ status }) => status === 'published').length;
      const drafts = entries.filter((entry) => !isKept(entry)).length;
      gone.set(document, { ...one, published, drafts });
    }
  }
  return [...gone.values()];
}

/**
 * Takes a document out whose file is gone: its drafts are deleted with its batches, what was published is taken back
 * and stays as a draft with its history, as does a draft that a person edited. A file that comes back is a new one.
 * Answers whether it was done: not where the document was read again since.
 */
export async function pruneDocument(
  app: App,
  actor: Actor,
  { batchId, document, path }: GoneDocument,
): Promise<boolean> {
  const member = requirePermission(actor, 'knowledge.write');
  const { organizationId } = member;
  return inTransaction(app, async (app) => {
    const readings = await findReadings(app, organizationId, document);
    if (readings[0]?.id !== batchId) return false;
    const entries = await findEntriesWhere(app, { organizationId, document });
    for (const entry of entries.filter(isKept)) await takeBack(app, member, entry);
    for (const { id } of readings) await deleteBatch(app, member, id);
    await recordChange(app, member, {
      organizationId,
      action: 'document.prune',
      subject: `batch:${batchId}`,
      before: { document, path, taken_back: entries.filter(isKept).map(({ uuid }) => uuid) },
    });
    return true;
  });
}

/** Says of a batch that its file lies elsewhere now, where the one that it was read from is gone. */
export async function followMovedFile(app: App, batchId: string, path: string): Promise<void> {
  const before = await findPathOf(app, batchId);
  if (before === null || before === path || !(await isGone(before))) return;
  await movePath(app, batchId, path);
}

/** What is somebody's work: it was approved once, or a person wrote on it. */
function isKept(entry: Entry): boolean {
  return entry.wasPublished || entry.edited;
}

async function takeBack(app: App, member: Member, entry: Entry): Promise<void> {
  const changed = await leaveDocument(app, entry, nameOf(member));
  await recordChange(app, member, {
    organizationId: member.organizationId,
    action: 'entry.update',
    subject: `entry:${entry.uuid}`,
    before: presentEntry(entry),
    after: presentEntry(changed),
  });
}

async function isGone(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' || code === 'ENOTDIR';
    },
  );
}
