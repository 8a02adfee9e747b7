import type { Entry } from '../../knowledge/entry.js';
import type { Visibility } from '../../platform/actor.js';
import type { ErrorCode } from '../../platform/errors.js';
import type { HiddenText } from '../../pdf/layout/page.js';

export const batchStatuses = ['processing', 'completed', 'failed'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** Why a batch failed. `page` is of the PDF, from 1, where the trouble lies on one. */
export interface BatchError {
  code: ErrorCode;
  message: string;
  page?: number;
}

/** Entries by what became of them since the document was read before. */
export interface BatchDiff {
  /** Entries that stay as they are. */
  unchanged: number;
  /** Drafts of text that has changed. */
  changed: number;
  /** Drafts of text that is new. */
  new: number;
  /** Entries whose text is no longer in the document. */
  gone: number;
}

/** One uploaded PDF and the job that turns it into draft entries. */
export interface Batch {
  id: string;
  organizationId: number;
  appId: number;
  domain: string | null;
  fileName: string;
  /** The same for every version of a file: its domain, else its app, and its name. */
  document: string;
  fileSha256: string;
  fileSize: number;
  /** The tier that its entries get; null for the app's default. */
  visibility: Visibility | null;
  status: BatchStatus;
  totalPages: number;
  processedPages: number;
  totalChunks: number;
  processedChunks: number;
  /** Entries that the model made, and that their chunk did not support. */
  droppedEntries: number;
  /** Sections that stand as they are because the model's answer was of no use. */
  fallbackChunks: number;
  /** How its entries differ from those that stood before; all 0 until it is completed. */
  diff: BatchDiff;
  /** How many pieces of text nobody sees on the pages; not all of them need to be stored. */
  hiddenTextTotal: number;
  /** Pages, from 1, that hold no text: scans in a document that has text elsewhere. */
  pagesWithoutText: number[];
  error: BatchError | null;
  /** The batch that read the document after it and took over what still held; it may be deleted since. */
  supersededBy: string | null;
  /** Entries that stood already, open to more, and took on the batch's visibility. */
  visibilityNarrowed: number;
  /** Entries that stay, or are replaced, and keep a narrower visibility than the batch's. */
  visibilityKept: number;
  attempts: number;
  createdAt: string;
  updatedAt: string;
}

/** A batch with the number of entries that it has at the moment. */
export interface CountedBatch extends Batch {
  totalEntries: number;
}

/** A job stops after this many tries. */
export const maximumAttempts = 3;

/** Tries of a job that ran out of time or memory: each is expensive, and another one seldom helps. */
export const dearAttempts = 2;

export interface BatchWithEntries {
  batch: Batch;
  entries: Entry[];
  /** Entries whose text was no longer in the document when the batch read it. */
  gone: Entry[];
  /** What nobody sees on the pages, page by page; the first of it where there is much. */
  hiddenText: HiddenText[];
  /** What its drafts replace. */
  replaced: Entry[];
  /** Drafts that earlier readings of the document left, and that wait because a person has edited them. */
  editedDrafts: Entry[];
}

/** Whether a person took the entry, or what it replaces, back: only by its number is it published again. */
export function isTakenBack(entry: Entry, replaced: readonly Entry[]): boolean {
  const old = replaced.find(({ id }) => id === entry.replacesId);
  return [entry, old].some((one) => one?.status === 'draft' && one.wasPublished);
}

/** "12 unchanged, 2 changed, 1 new, 1 gone". */
export function describeDiff(diff: BatchDiff): string {
  return `${diff.unchanged} unchanged, ${diff.changed} changed, ${diff.new} new, ${diff.gone} gone`;
}

/** What the visibility that was chosen for a batch did, and did not do, to the entries that stood already. */
export function describeVisibility(
  batch: Pick<Batch, 'visibility' | 'visibilityNarrowed' | 'visibilityKept'>,
): string[] {
  const { visibility, visibilityNarrowed, visibilityKept } = batch;
  const lines: string[] = [];
  if (visibilityNarrowed > 0) {
    lines.push(
      `${visibilityNarrowed} earlier entries were open to more: they are ${visibility ?? ''} now`,
    );
  }
  if (visibilityKept > 0) {
    lines.push(
      `${visibilityKept} entries stay narrower than ${visibility ?? ''}: knowledge edit opens them`,
    );
  }
  return lines;
}
