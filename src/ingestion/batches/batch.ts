import type { DocumentKind } from '../../documents/document.js';
import type { ReaderName } from '../../documents/threads/protocol.js';
import type { RecognizedPage } from '../../documents/threads/recognize-pages.js';
import type { Entry } from '../../knowledge/entry.js';
import type { Visibility } from '../../platform/actor.js';
import type { ErrorCode } from '../../platform/errors.js';
import type { HiddenText } from '../../pdf/layout/page.js';

export const batchStatuses = ['processing', 'completed', 'failed'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** Why a batch failed. `page` counts from 1; it is set when the problem is on one page of the PDF. */
export interface BatchError {
  code: ErrorCode;
  message: string;
  page?: number;
}

/** Numbers of entries, compared with the previous version of the document. */
export interface BatchDiff {
  unchanged: number;
  changed: number;
  new: number;
  /** Entries whose text is no longer in the document. */
  gone: number;
}

/** One uploaded document and the job that turns it into draft entries. */
export interface Batch {
  id: string;
  organizationId: number;
  appId: number;
  domain: string | null;
  /** The source that was stated for the file; null without one. */
  source: string | null;
  /** The folder that the file was found in, without what differs between checkouts; null when unknown. */
  folder: string | null;
  fileName: string;
  /** The same for every version of a file: its domain (else its app), its source and its name. */
  document: string;
  fileSha256: string;
  fileSize: number;
  kind: DocumentKind;
  /** The address of a page; null for a file. */
  sourceUrl: string | null;
  /** The visibility tier of its entries; null for the app's default. */
  visibility: Visibility | null;
  status: BatchStatus;
  totalPages: number;
  processedPages: number;
  totalChunks: number;
  processedChunks: number;
  /** Entries that the model made and that their section does not support. */
  droppedEntries: number;
  /** Sections used unchanged because the model's answer was unusable. */
  fallbackChunks: number;
  /** The differences from earlier entries; all 0 until the batch is completed. */
  diff: BatchDiff;
  /** The number of hidden texts on the pages; not all of them need be stored. */
  hiddenTextTotal: number;
  /** Pages, from 1, without text: scans in a document that otherwise contains text. */
  pagesWithoutText: number[];
  /** The reader that read the file; null before it was read. */
  readBy: ReaderName | null;
  /** Pages whose text was recognised from their pictures. */
  recognizedPages: RecognizedPage[];
  error: BatchError | null;
  /** The later batch of the same document that took over its valid entries; it may be deleted by now. */
  supersededBy: string | null;
  /** Existing entries that were visible to more people and took the batch's visibility. */
  visibilityNarrowed: number;
  /** Entries that stay or are replaced, and keep a narrower visibility than the batch's. */
  visibilityKept: number;
  attempts: number;
  /** Who uploaded it, as in the record of changes: `user:7` or `operator`. */
  createdBy: string;
  createdAt: string;
  updatedAt: string;
}

/** The right to work on a batch until it expires. */
export interface Lease {
  token: string;
  expiresAt: string;
}

/** A batch that a worker holds until its lease ends. */
export interface LeasedBatch extends Batch {
  leaseToken: string;
  chunksSha256: string | null;
  createdBy: string;
}

/** A batch with its present number of entries, and of the drafts among them. */
export interface CountedBatch extends Batch {
  totalEntries: number;
  draftEntries: number;
}

/** Recognised pages below this confidence, from 0 to 100, should be compared with their pictures. */
const doubtfulConfidence = 85;

export function isDoubtful({ confidence }: Pick<RecognizedPage, 'confidence'>): boolean {
  return confidence < doubtfulConfidence;
}

/** The findings on the pages that an entry came from. */
export function onPagesOf<Found extends { page: number }>(
  { pageFrom, pageTo }: Pick<Entry, 'pageFrom' | 'pageTo'>,
  found: readonly Found[],
): Found[] {
  if (pageFrom === null) return [];
  return found.filter(({ page }) => page >= pageFrom && page <= (pageTo ?? pageFrom));
}

/** The lowest confidence of an entry's pages that were read from pictures; null without such pages. */
export function confidenceOf(entry: Entry, { recognizedPages }: Batch): number | null {
  const known = onPagesOf(entry, recognizedPages).map(({ confidence }) => confidence);
  return known.length === 0 ? null : Math.min(...known);
}

export const maximumAttempts = 3;

export interface BatchWithEntries {
  batch: Batch;
  entries: Entry[];
  /** Entries whose text was no longer in the document when the batch read it. */
  gone: Entry[];
  /** The hidden text, page by page; only the first part if there is much. */
  hiddenText: HiddenText[];
  /** The entries that its drafts replace. */
  replaced: Entry[];
  /** Drafts of earlier readings of the document that wait because a person edited them. */
  editedDrafts: Entry[];
}

/** True when a person unpublished the entry or its predecessor. It is then published only if named by its number. */
export function isTakenBack(entry: Entry, replaced: readonly Entry[]): boolean {
  const old = replaced.find(({ id }) => id === entry.replacesId);
  return [entry, old].some((one) => one?.status === 'draft' && one.wasPublished);
}

/** "12 unchanged, 2 changed, 1 new, 1 gone". */
export function describeDiff(diff: BatchDiff): string {
  return `${diff.unchanged} unchanged, ${diff.changed} changed, ${diff.new} new, ${diff.gone} gone`;
}

/** Sentences on existing entries that a batch's chosen visibility changed, and on those that it did not. */
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
