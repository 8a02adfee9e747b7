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

/** A document whose file is gone, with the effect of pruning it. */
export interface GoneDocument extends DocumentOfFile {
  /** Entries that will be unpublished. */
  published: number;
  drafts: number;
}

export interface Folders {
  appId: number;
  domain: string | null;
  /** Absolute. */
  folders: readonly string[];
  /** Batches whose bytes still exist under another name. */
  present: ReadonlySet<string>;
}

/**
 * The documents of an app and domain whose file was below one of the folders and no longer exists. Files that can't be
 * checked count as existing.
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
 * Removes a document whose file is gone. Its drafts are deleted with its batches. Published entries become drafts and
 * keep their history, and drafts that a person edited stay. If the file returns, it is a new document. Returns false
 * when the document was read again since.
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

/** Stores the new path of a batch's file, if its old path no longer exists. */
export async function followMovedFile(app: App, batchId: string, path: string): Promise<void> {
  const before = await findPathOf(app, batchId);
  if (before === null || before === path || !(await isGone(before))) return;
  await movePath(app, batchId, path);
}

/** True for somebody's work: an entry that was approved once, or that a person edited. */
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
