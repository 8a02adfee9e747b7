import type { Visibility } from '../platform/actor.js';
import type { ErrorCode } from '../platform/errors.js';

export const batchStatuses = ['processing', 'completed', 'failed'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** Why a batch failed. `page` is of the PDF, from 1, where the trouble lies on one. */
export interface BatchError {
  code: ErrorCode;
  message: string;
  page?: number;
}

/** One uploaded PDF and the job that turns it into draft entries. */
export interface Batch {
  id: string;
  organizationId: number;
  appId: number;
  domain: string | null;
  fileName: string;
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
  /** Pages, from 1, that hold no text: scans in a document that has text elsewhere. */
  pagesWithoutText: number[];
  error: BatchError | null;
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
