import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { etagOf, type Entry } from '../../knowledge/entry.js';
import { findEntriesById } from '../../knowledge/entries.repository.js';
import { findOutlines, type EntryOutline } from '../../knowledge/entry-lists.repository.js';
import { getEntry } from '../../knowledge/read-entries.js';
import type { HiddenText } from '../../pdf/layout/page.js';
import type { RecognizedPage } from '../../documents/threads/recognize-pages.js';
import { isDoubtful, isTakenBack, onPagesOf, type Batch } from '../batches/batch.js';
import { findApprovedIds, findHiddenTexts } from '../batches/findings.repository.js';
import { findSections, type StoredSection } from '../batches/sections.repository.js';
import type { Reshaping } from '../batches/reshaped.repository.js';
import { findRejected } from '../batches/rejected.repository.js';
import { getBareBatch, inOrderOfDocument } from './review-batch.js';
import { findUndoable } from './undo-reshaping.js';

export const draftStates = ['draft', 'accepted', 'rejected'] as const;
export type DraftState = (typeof draftStates)[number];

/** A draft of a batch without its text, with what was decided about it. */
export interface OutlinedDraft extends Pick<
  EntryOutline,
  | 'id'
  | 'title'
  | 'edited'
  | 'pageFrom'
  | 'pageTo'
  | 'chunkIndex'
  | 'sourcePart'
  | 'replacesId'
  | 'takenBack'
> {
  state: DraftState;
}

/** A batch, and its drafts in the order of the document, decided ones too. Entries that it left unchanged are not in it. */
export interface Review {
  batch: Batch;
  drafts: OutlinedDraft[];
}

/**
 * The drafts of a batch without their texts, and its entry `shown`, whose place somebody wants to see. Errors:
 * `not_found`.
 */
export async function getReview(
  app: App,
  actor: Actor,
  batchId: string,
  shown?: number,
): Promise<Review> {
  const batch = await getBareBatch(app, actor, batchId);
  const { organizationId } = batch;
  const approved = new Set(await findApprovedIds(app, batchId));
  const entries = await findOutlines(app, { organizationId, batchId });
  const present = entries
    .filter(({ id, status }) => status === 'draft' || approved.has(id) || id === shown)
    .map(({ status, ...entry }) => ({
      ...entry,
      state: status === 'draft' ? ('draft' as const) : ('accepted' as const),
    }));
  const rejected = (await findRejected(app, batchId)).map(({ id, draft }) => ({
    id,
    title: draft.title,
    edited: draft.edited ?? false,
    takenBack: false,
    pageFrom: draft.pageFrom,
    pageTo: draft.pageTo,
    chunkIndex: draft.chunkIndex,
    sourcePart: draft.sourcePart ?? 0,
    replacesId: draft.replacesId ?? null,
    state: 'rejected' as const,
  }));
  return { batch, drafts: inOrderOfDocument([...present, ...rejected]) };
}

/** Sections that are shown around that of a draft. */
const sectionsAround = 4;

/**
 * The sections of a document without pages around the one that a draft came from, as they were read; empty for a PDF,
 * and for a batch that was read before sections were kept.
 */
export async function findSourceOf(
  app: App,
  { id }: Batch,
  { chunkIndex }: Pick<OutlinedDraft, 'chunkIndex'>,
): Promise<StoredSection[]> {
  if (chunkIndex === null) return [];
  const range = { from: chunkIndex - sectionsAround, to: chunkIndex + sectionsAround };
  return findSections(app, id, range);
}

/** A draft with what its reviewer must know. */
export interface ReviewedDraft {
  state: DraftState;
  id: number;
  draft: Pick<
    Entry,
    | 'title'
    | 'content'
    | 'language'
    | 'domain'
    | 'urlPattern'
    | 'visibility'
    | 'visibilityDefaulted'
    | 'pageFrom'
    | 'pageTo'
    | 'edited'
  >;
  /** Its version, to decide about; undefined for a rejected draft, which has none. */
  etag: string | undefined;
  takenBack: boolean;
  /** False for an approval that put a new text into an older entry: without it, nothing would be published. */
  mayBeTakenBack: boolean;
  /** The action that undoReshaping would undo. */
  undoable: Reshaping['kind'] | undefined;
  /** The entry that gets its text on approval. */
  replaced: Entry | undefined;
  /** The hidden text of its pages, which is not in its own text. */
  hiddenText: HiddenText[];
  /** Those of its pages that text recognition was not sure of. */
  doubtfulPages: RecognizedPage[];
}

/** One of the drafts of a review. Errors: `not_found` for one that is of another batch. */
export async function getReviewedDraft(
  app: App,
  actor: Actor,
  { batchId, entryId }: { batchId: string; entryId: number },
): Promise<ReviewedDraft> {
  const member = requirePermission(actor, 'knowledge.write');
  const batch = await getBareBatch(app, member, batchId);
  const rejected = (await findRejected(app, batchId)).find(({ id }) => id === entryId);
  const entry = rejected === undefined ? await getEntry(app, member, String(entryId)) : undefined;
  if (entry !== undefined && entry.batchId !== batchId) {
    throw new AppError('not_found', `There is no entry ${entryId} in this batch.`);
  }
  const draft = rejected?.draft ?? entry;
  if (draft === undefined) throw new Error('a draft is neither rejected nor an entry');
  const { replacesId = null } = draft;
  const [replaced] = replacesId === null ? [] : await findEntriesById(app, [replacesId]);
  const isAccepted = entry?.status === 'published';
  return {
    id: entryId,
    state: isAccepted ? 'accepted' : entry === undefined ? 'rejected' : 'draft',
    draft: { ...draft, edited: draft.edited ?? false },
    etag: entry === undefined ? undefined : etagOf(entry),
    undoable: entry === undefined ? undefined : await findUndoable(app, entry),
    takenBack: entry !== undefined && isTakenBack(entry, replaced === undefined ? [] : [replaced]),
    mayBeTakenBack: isAccepted && entry.createdAt >= batch.createdAt,
    replaced,
    hiddenText: onPagesOf(draft, await findHiddenTexts(app, batchId)),
    doubtfulPages: onPagesOf(draft, batch.recognizedPages).filter(isDoubtful),
  };
}
