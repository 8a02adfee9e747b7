import { z } from 'zod';
import { presenter } from '../../platform/wire-names.js';
import { visibilities, type Visibility } from '../../platform/actor.js';
import { closes } from '../../knowledge/document-entries.js';
import { scopes, type Entry } from '../../knowledge/entry.js';
import {
  batchStatuses,
  confidenceOf,
  isTakenBack,
  onPagesOf,
  type Batch,
  type BatchWithEntries,
} from './batch.js';
import { documentKinds } from '../../documents/document.js';
import { hiddenReasons } from '../../pdf/layout/page.js';

const hiddenTexts = z
  .array(z.object({ page: z.number(), reason: z.enum(hiddenReasons), text: z.string() }))
  .describe(
    'Text that nobody sees on its page, left out of every entry; long ones are shortened. The reason unchecked names a page that could not be searched for it; unreadable is text whose font does not tell its letters.',
  );

/** An entry in its batch. `description` is its content; `is_active` says whether it is published. */
const ingestedEntryReply = z
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
    source_anchor: z
      .string()
      .nullable()
      .describe('Its place in a document without pages: the id of its heading, or paragraph-12.'),
    replaces: z
      .number()
      .nullable()
      .describe('For a draft: the entry that gets its text on approval.'),
    replaces_title: z.string().nullable().describe('The present title of that entry.'),
    replaces_edited: z
      .boolean()
      .describe('Whether a person changed the text of that entry since it was read.'),
    taken_back: z
      .boolean()
      .describe(
        'Whether a person unpublished it, or the entry that it replaces. Check this before approving.',
      ),
    hidden_text: hiddenTexts.describe('Hidden text on its pages, which is not in its own text.'),
    confidence: z
      .number()
      .nullable()
      .describe(
        'From 0 to 100: the lowest of its pages that text recognition read. Compare it with the PDF below 85. Null: it read none.',
      ),
  })
  .meta({ id: 'IngestedEntry' });

export const batchReply = z
  .object({
    id: z.string(),
    file_name: z.string(),
    source: z.string().nullable().describe('The source that was stated for the file, if any.'),
    file_sha256: z.string().describe('Of the bytes, in hexadecimal.'),
    kind: z.enum(documentKinds).describe('What the file is, by its content.'),
    source_url: z.string().nullable().describe('The address of a page, where it was stated.'),
    app_id: z.number(),
    domain: z.string().nullable().describe('Null: the entries are of the whole app.'),
    status: z.enum(batchStatuses),
    total_pages: z
      .number()
      .describe('0 until the file has been opened; 1 for a document without pages.'),
    processed_pages: z.number(),
    pages_without_text: z.array(z.number()).describe('Numbers of pages that are images alone.'),
    recognized_pages: z
      .array(z.object({ page: z.number(), confidence: z.number().describe('From 0 to 100.') }))
      .describe('Pages whose text was recognised from their pictures (setting ingestion.ocr).'),
    read_by: z
      .enum(['own', 'pdf-parse'])
      .nullable()
      .describe(
        'pdf-parse: the product did not understand the file, so that pdf-parse read its plain text, without headings and without looking for hidden text. Null before the file is read.',
      ),
    total_chunks: z.number().describe('Pieces of text that entries are made of.'),
    processed_chunks: z.number(),
    total_entries: z.number(),
    draft_entries: z.number().describe('Entries of it that are drafts: they wait for approval.'),
    dropped_entries: z.number().describe('Dropped because the text does not support them.'),
    fallback_chunks: z
      .number()
      .describe('Chunks that became entries unchanged, because the model’s answer was unusable.'),
    diff: z
      .object({
        unchanged: z.number().describe('Unchanged entries and waiting drafts.'),
        changed: z.number().describe('Drafts of changed text.'),
        new: z.number().describe('Drafts of new text.'),
        gone: z.number().describe('Entries whose text is no longer in the document.'),
      })
      .describe(
        'Its differences from the earlier entries of the document; 0 until it is completed.',
      ),
    visibility_narrowed: z
      .number()
      .describe('Entries that stood already, open to more, and took on the upload’s visibility.'),
    visibility_kept: z
      .number()
      .describe('Entries that stay and keep a narrower visibility than the upload’s.'),
    superseded_by: z
      .string()
      .nullable()
      .describe('The batch that read the document again since and took over the drafts.'),
    hidden_text_total: z.number().describe('Texts that are hidden on their page.'),
    attempts: z.number().describe('The number of attempts; at most three.'),
    error: z
      .object({
        code: z
          .string()
          .describe('One of the codes about documents, model_unavailable or internal.'),
        message: z.string(),
        page: z.number().optional().describe('The page at fault, from 1.'),
      })
      .nullable()
      .describe('Why it failed; null otherwise.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
    updated_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'IngestionBatch' });

const editedDraft = z.object({
  id: z.number(),
  title: z.string(),
  batch_id: z.string().nullable(),
});

export const batchWithEntriesReply = batchReply
  .extend({
    entries: z.array(ingestedEntryReply),
    gone: z
      .array(
        z.object({
          id: z.number(),
          title: z.string(),
          pages: z.string().describe('In the earlier version of the document, e.g. 3 or 3-5.'),
        }),
      )
      .describe(
        'Entries whose text is no longer in the document. They are deleted only on request.',
      ),
    edited_drafts: z
      .array(editedDraft)
      .describe('Outdated drafts of earlier versions, kept in their batch: a person edited them.'),
    hidden_text: hiddenTexts,
  })
  .meta({ id: 'IngestionBatchWithEntries' });

export const presentBatch = presenter(batchReply);

export function batchFacts(batch: Batch): Record<string, unknown> {
  const { fileName: file_name, fileSha256: file_sha256, appId: app_id } = batch;
  const { source, domain, status } = batch;
  return { file_name, ...(source === null ? {} : { source }), file_sha256, app_id, domain, status };
}

const presentEntry = presenter(ingestedEntryReply);
const presentDraft = presenter(editedDraft);

function presentIngestedEntry(
  entry: Entry,
  { batch, hiddenText, replaced }: BatchWithEntries,
): z.output<typeof ingestedEntryReply> {
  const old = replaced.find(({ id }) => id === entry.replacesId);
  return presentEntry({
    ...entry,
    description: entry.content,
    isActive: entry.status === 'published',
    visibility: tierOf(entry, old),
    replaces: entry.replacesId,
    replacesTitle: old?.title ?? null,
    replacesEdited: old?.edited ?? false,
    takenBack: isTakenBack(entry, replaced),
    hiddenText: onPagesOf(entry, hiddenText),
    confidence: confidenceOf(entry, batch),
  });
}

/** The tier of an entry, or the future tier of a draft that replaces an entry. */
function tierOf(entry: Entry, replaced: Entry | undefined): Visibility {
  return replaced === undefined || closes(entry, replaced) ? entry.visibility : replaced.visibility;
}

export function presentBatchWithEntries(
  found: BatchWithEntries,
): z.output<typeof batchWithEntriesReply> {
  const { batch, entries, gone, hiddenText, editedDrafts } = found;
  return {
    ...presentBatch({
      ...batch,
      totalEntries: entries.length,
      draftEntries: entries.filter(({ status }) => status === 'draft').length,
    }),
    entries: entries.map((entry) => presentIngestedEntry(entry, found)),
    gone: gone.map((entry) => ({ id: entry.id, title: entry.title, pages: pagesOf(entry) })),
    edited_drafts: editedDrafts.map(presentDraft),
    hidden_text: hiddenText,
  };
}

/** Pages in words: 3, or 3-5. */
export function pagesOf({ pageFrom, pageTo }: Pick<Entry, 'pageFrom' | 'pageTo'>): string {
  if (pageFrom === null) return '';
  return pageTo === null || pageTo === pageFrom ? String(pageFrom) : `${pageFrom}-${pageTo}`;
}
