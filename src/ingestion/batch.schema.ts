import { z } from 'zod';
import { visibilities } from '../platform/actor.js';
import { scopes, type Entry } from '../knowledge/entry.js';
import { batchStatuses, type Batch, type CountedBatch } from './batch.js';

/** An entry as its batch shows it: `description` is its content, `is_active` whether it is published. */
export const ingestedEntryReply = z.object({
  id: z.number(),
  title: z.string(),
  description: z.string(),
  scope: z.enum(scopes),
  is_active: z.boolean(),
  visibility: z.enum(visibilities),
  language: z.string(),
  page_from: z.number().nullable(),
  page_to: z.number().nullable(),
});

export const batchReply = z.object({
  id: z.string(),
  file_name: z.string(),
  file_sha256: z.string(),
  app_id: z.number(),
  domain: z.string().nullable(),
  status: z.enum(batchStatuses),
  total_pages: z.number(),
  processed_pages: z.number(),
  pages_without_text: z.array(z.number()),
  total_chunks: z.number(),
  processed_chunks: z.number(),
  total_entries: z.number(),
  dropped_entries: z.number(),
  attempts: z.number(),
  error: z
    .object({ code: z.string(), message: z.string(), page: z.number().optional() })
    .nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const batchWithEntriesReply = batchReply.extend({
  entries: z.array(ingestedEntryReply),
});

export function presentBatch(batch: CountedBatch): z.output<typeof batchReply> {
  return {
    id: batch.id,
    file_name: batch.fileName,
    file_sha256: batch.fileSha256,
    app_id: batch.appId,
    domain: batch.domain,
    status: batch.status,
    total_pages: batch.totalPages,
    processed_pages: batch.processedPages,
    pages_without_text: batch.pagesWithoutText,
    total_chunks: batch.totalChunks,
    processed_chunks: batch.processedChunks,
    total_entries: batch.totalEntries,
    dropped_entries: batch.droppedEntries,
    attempts: batch.attempts,
    error: batch.error,
    created_at: batch.createdAt,
    updated_at: batch.updatedAt,
  };
}

export function presentIngestedEntry(entry: Entry): z.output<typeof ingestedEntryReply> {
  return {
    id: entry.id,
    title: entry.title,
    description: entry.content,
    scope: entry.scope,
    is_active: entry.status === 'published',
    visibility: entry.visibility,
    language: entry.language,
    page_from: entry.pageFrom,
    page_to: entry.pageTo,
  };
}

export function presentBatchWithEntries(
  batch: Batch,
  entries: Entry[],
): z.output<typeof batchWithEntriesReply> {
  return {
    ...presentBatch({ ...batch, totalEntries: entries.length }),
    entries: entries.map(presentIngestedEntry),
  };
}
