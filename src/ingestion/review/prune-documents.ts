import { lstat } from 'node:fs/promises';
import { recordChange } from '../../audit/record-change.js';
import { nameOf, requirePermission, type Actor, type Member } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError, codeOf } from '../../platform/errors.js';
import { leaveDocument } from '../../knowledge/document-entries.js';
import { findEntriesWhere } from '../../knowledge/entry-lists.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import { findReadings } from '../batches/batches.repository.js';
import { findDocumentsBelow } from '../batches/documents.repository.js';
import { findPathOf, movePath } from '../batches/source-paths.repository.js';
import { weighDocument, isKept, type WeighedDocument } from './list-documents.js';
import { deleteBatch, getBareBatch } from './review-batch.js';
import { recordEntry } from '../../knowledge/store-entries.js';

/** A document whose file is gone. */
export interface GoneDocument extends WeighedDocument {
  /** Where its file was, if that is known. */
  path: string | null;
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
 * The documents of an app and domain without a source whose file was below one of the folders and no longer exists.
 * Files that can't be checked count as existing.
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
    for (const { batch, path } of known) {
      if (present.has(batch.id) || gone.has(batch.document) || !(await isGone(path))) continue;
      gone.set(batch.document, { ...(await weighDocument(app, batch)), path });
    }
  }
  return [...gone.values()];
}

/** The results of pruning for the entries of a document. */
export interface Pruned {
  takenBack: number;
  deleted: number;
}

/**
 * Removes a document, named by the batch of its last reading. Its drafts are deleted with its batches. Published
 * entries become drafts and keep their history, and drafts that a person edited stay. If the file returns, it is a new
 * document. Errors: `not_found`; `conflict` when the document was read again since.
 */
export async function pruneDocument(
  app: App,
  actor: Actor,
  batchId: string,
  path: string | null = null,
): Promise<Pruned> {
  const member = requirePermission(actor, 'knowledge.write');
  const { organizationId } = member;
  return inTransaction(app, async (app) => {
    const { document } = await getBareBatch(app, member, batchId);
    const readings = await findReadings(app, organizationId, document);
    const [last] = readings;
    if (last !== undefined && last.id !== batchId) {
      const sentence = `The document was read again since, as batch ${last.id}: it is not gone. Look at it before you remove it.`;
      throw new AppError('conflict', sentence);
    }
    const kept = (await findEntriesWhere(app, { organizationId, document })).filter(isKept);
    for (const entry of kept) await takeBack(app, member, entry);
    let deleted = 0;
    for (const { id } of readings) deleted += await deleteBatch(app, member, id);
    await recordChange(app, member, {
      organizationId,
      action: 'document.prune',
      subject: `batch:${batchId}`,
      before: {
        document,
        ...(path === null ? {} : { path }),
        taken_back: kept.map(({ uuid }) => uuid),
      },
    });
    return { takenBack: kept.length, deleted };
  });
}

/**
 * Prunes documents one by one. `left` are those that were read again since, so that they are not gone. One that another
 * run has removed is in neither list.
 */
export async function pruneEach<T>(
  gone: readonly T[],
  prune: (one: T) => Promise<unknown>,
): Promise<{ pruned: T[]; left: T[] }> {
  const done = { pruned: [] as T[], left: [] as T[] };
  for (const one of gone) {
    try {
      await prune(one);
      done.pruned.push(one);
    } catch (error) {
      if (codeOf(error) === 'conflict') done.left.push(one);
      else if (codeOf(error) !== 'not_found') throw error;
    }
  }
  return done;
}

/** Stores the new path of a batch's file, if its old path no longer exists. */
export async function followMovedFile(app: App, batchId: string, path: string): Promise<void> {
  const before = await findPathOf(app, batchId);
  if (before === null || before === path || !(await isGone(before))) return;
  await movePath(app, batchId, path);
}

/** The other path of a batch's file, if it is still there: then two files may be taken for one document. */
export async function findOtherPath(
  app: App,
  batchId: string,
  path: string,
): Promise<string | null> {
  const before = await findPathOf(app, batchId);
  return before === null || before === path || (await isGone(before)) ? null : before;
}

async function takeBack(app: App, member: Member, entry: Entry): Promise<void> {
  const changed = await leaveDocument(app, entry, nameOf(member));
  await recordEntry(app, member, 'update', { before: entry, after: changed });
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
