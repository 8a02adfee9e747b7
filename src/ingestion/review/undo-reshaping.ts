import { nameOf, requirePermission, type Actor, type Member } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inIndexingTransaction } from '../../search/index-entries.js';
import { AppError } from '../../platform/errors.js';
import { removeGone } from '../batches/findings.repository.js';
import type { KeptDraft } from '../batches/rejected.repository.js';
import { findReshaping, forgetReshaping, type Reshaping } from '../batches/reshaped.repository.js';
import { moveInDocument } from '../../knowledge/document-entries.js';
import { findEntriesById } from '../../knowledge/entries.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import {
  addEntries,
  changeEntry,
  removeEntries,
  recordEntry,
} from '../../knowledge/store-entries.js';
import { openDraft, type NamedDraft } from './open-draft.js';

/**
 * Undoes the last merge or split of a draft, or the last replacement in its text: both drafts, or the one, are as they
 * were. A draft that is restored has a new number. Returns the drafts. Refuses as openDraft does, with `not_found` where
 * nothing was done in the last seven days, and with `conflict` when one of its drafts was changed or decided since.
 */
export async function undoReshaping(app: App, actor: Actor, input: NamedDraft): Promise<Entry[]> {
  const member = requirePermission(actor, 'knowledge.write');
  return inIndexingTransaction(app, async (app) => {
    const { entry, batch } = await openDraft(app, member, input);
    const done = await findReshaping(app, batch.id, entry.id);
    if (done === undefined) {
      throw new AppError(
        'not_found',
        `Draft ${entry.id} was neither merged nor split nor corrected lately.`,
      );
    }
    if (done.version !== entry.version) throw changedSince(done);
    if (done.kind === 'merge') return undoMerge(app, member, entry, done);
    if (done.kind === 'replace') {
      const restored = await restoreFirst(app, member, entry, done);
      await recordEntry(app, member, 'update', { before: entry, after: restored });
      return [restored];
    }
    const [other] = done.otherId === null ? [] : await findEntriesById(app, [done.otherId]);
    if (other?.status !== 'draft' || other.version !== done.otherVersion) throw changedSince(done);
    return [await undoSplit(app, member, entry, other, done)];
  });
}

/** Whether undoReshaping would undo something for this draft, and what. */
export async function findUndoable(
  app: App,
  entry: Pick<Entry, 'id' | 'batchId' | 'version' | 'status'>,
): Promise<Reshaping['kind'] | undefined> {
  if (entry.batchId === null || entry.status !== 'draft') return undefined;
  const done = await findReshaping(app, entry.batchId, entry.id);
  if (done?.version !== entry.version) return undefined;
  if (done.otherId === null) return done.kind;
  const [other] = await findEntriesById(app, [done.otherId]);
  const isSame = other?.status === 'draft' && other.version === done.otherVersion;
  return isSame ? done.kind : undefined;
}

/** Makes the two parts the draft that they were. Runs in the caller's transaction. */
export async function undoSplit(
  app: App,
  member: Member,
  first: Entry,
  second: Entry,
  done: Reshaping,
): Promise<Entry> {
  await removeEntries(app, [second.id]);
  const restored = await restoreFirst(app, member, first, done);
  await recordEntry(app, member, 'merge', { before: first, after: restored });
  await recordEntry(app, member, 'merge', { before: second });
  return restored;
}

async function undoMerge(
  app: App,
  member: Member,
  entry: Entry,
  done: Reshaping,
): Promise<Entry[]> {
  const { batchId, goneId } = done;
  const [, kept] = done.kept.before;
  if (kept === undefined) throw new Error('a merge keeps two drafts');
  const first = await restoreFirst(app, member, entry, done);
  const second = await restoreDraft(app, member, kept);
  if (goneId !== null) await removeGone(app, batchId, goneId);
  await recordEntry(app, member, 'split', { before: entry, after: first });
  await recordEntry(app, member, 'split', { after: second });
  return [first, second];
}

async function restoreFirst(
  app: App,
  member: Member,
  entry: Entry,
  done: Reshaping,
): Promise<Entry> {
  const [kept] = done.kept.before;
  if (kept === undefined) throw new Error('what was done to a draft keeps none');
  const { title, content, language, visibility, visibilityDefaulted, edited = false } = kept;
  const text = { title, content, language, visibility, visibilityDefaulted, edited };
  const changed = await changeEntry(app, entry, text, nameOf(member));
  const { pageFrom, pageTo, sourceSha256 = null, mergedSha256s = null } = kept;
  const replacesId = await stillThere(app, kept.replacesId);
  const source = { pageFrom, pageTo, sourceSha256, mergedSha256s, replacesId };
  await moveInDocument(app, changed, source);
  await forgetReshaping(app, done, changed);
  return { ...changed, ...source };
}

/** Stores a draft again that was deleted, under a new number. Runs in the caller's transaction. */
export async function restoreDraft(app: App, member: Member, kept: KeptDraft): Promise<Entry> {
  const replacesId = await stillThere(app, kept.replacesId);
  const [entry] = await addEntries(app, [{ ...kept, replacesId, changedBy: nameOf(member) }]);
  if (entry === undefined) throw new Error('inserting an entry answered none');
  return entry;
}

async function stillThere(app: App, id: number | null | undefined): Promise<number | null> {
  const [replaced] = id == null ? [] : await findEntriesById(app, [id]);
  return replaced?.id ?? null;
}

function changedSince({ kind }: Reshaping): AppError {
  return new AppError(
    'conflict',
    `The ${kind === 'replace' ? 'replacement' : kind} can’t be undone: one of its drafts was changed or decided since.`,
  );
}
