import { z } from 'zod';
import { visibilities } from '../platform/actor.js';
import { scopes, type Entry } from '../knowledge/entry.js';
import { batchStatuses, type Batch, type CountedBatch } from './batch.js';

/** An entry as its batch shows it: `description` is its content, `is_active` whether it is published. */
export const ingestedEntryReply = z
  .object({
    id: z.number(),
    title: z.string(),
    description: z.string().describe('The text of the entry.'),
    scope: z.enum(scopes),
    is_active: z.boolean().describe('False for a draft; true once it is approved.'),
    visibility: z.enum(visibilities),
    language: z.string(),
    page_from: z.number().nullable().describe('The first page of the PDF that it came from.'),
    page_to: z.number().nullable().describe('The last such page.'),
  })
  .meta({ id: 'IngestedEntry' });

export const batchReply = z
  .object({
    id: z.string(),
    file_name: z.string(),
    file_sha256: z.string().describe('Of the bytes, in hexadecimal.'),
    app_id: z.number(),
    domain: z.string().nullable().describe('Null: the entries are of the whole app.'),
    status: z.enum(batchStatuses),
    total_pages: z.number().describe('0 until the file has been opened.'),
    processed_pages: z.number(),
    pages_without_text: z.array(z.number()).describe('Numbers of pages that are images alone.'),
    total_chunks: z.number().describe('Pieces of text that entries are made of.'),
    processed_chunks: z.number(),
    total_entries: z.number(),
    dropped_entries: z.number().describe('Left out because the text does not bear them out.'),
    attempts: z.number().describe('How often it was begun; it is given up after three.'),
    error: z
      .object({
        code: z.string().describe('One of the codes about PDFs, or internal.'),
        message: z.string(),
        page: z.number().optional().describe('The page at fault, from 1.'),
      })
      .nullable()
      .describe('Why it failed; null where it did not.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
    updated_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'IngestionBatch' });

export const batchWithEntriesReply = batchReply
  .extend({ entries: z.array(ingestedEntryReply) })
  .meta({ id: 'IngestionBatchWithEntries' });

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

/** What a record of changes keeps of a batch. */
export function batchFacts(batch: Batch): Record<string, unknown> {
  const { fileName: file_name, fileSha256: file_sha256, appId: app_id, domain, status } = batch;
  return { file_name, file_sha256, app_id, domain, status };
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
