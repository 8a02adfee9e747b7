import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { Batch } from '../batches/batch.js';
import { readUploadRange } from '../batches/uploads.repository.js';
import { getBareBatch } from './review-batch.js';

/** The PDF of a batch. `read` gives the bytes from `start` to `end`, inclusive, in pieces of at most 1 MiB. */
export interface Document {
  batch: Batch;
  read: (range: { start: number; end: number }) => AsyncIterable<Buffer>;
}

/** Opens the PDF of a batch without reading it. Refuses with `not_found`. */
export async function openDocument(app: App, actor: Actor, batchId: string): Promise<Document> {
  const batch = await getBareBatch(app, actor, batchId);
  return { batch, read: (range) => readUploadRange(app, batch, range) };
}
