import { z } from 'zod';
import { goneSignal } from '../platform/http/request-end.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { receiveUpload } from '../platform/http/receive-upload.js';
import { resource } from '../platform/http/resource.js';
import { eventStream } from '../platform/http/event-stream.js';
import { validate } from '../platform/validate.js';
import { camelKeys, presenter } from '../platform/wire-names.js';
import { batchStatuses } from './batches/batch.js';
import {
  batchReply,
  batchWithEntriesReply,
  presentBatch,
  presentBatchWithEntries,
} from './batches/batch.schema.js';
import { approveBatch } from './review/approve-batch.js';
import { draftOperations } from './review/reshape-drafts.routes.js';
import { deleteBatch, getBatch, getBatchState, retryBatch } from './review/review-batch.js';
import { listBatches } from './review/list-batches.js';
import { documentReply, prunedReply, weighedReply } from './batches/document.schema.js';
import { getDocument, listDocuments } from './review/list-documents.js';
import { pruneDocument } from './review/prune-documents.js';
import { lookUpFile } from './upload/look-up-file.js';
import { fileTooLarge, startIngestion } from './upload/start-ingestion.js';
import {
  documentFields,
  lookedUpReply,
  lookUpQuery,
  sourceName,
  startedReply,
  uploadFields,
} from './upload/upload.schema.js';
import { batchEvents } from './review/watch-batch.js';

const batchParams = z.object({
  batch_id: z.string().min(1).max(100).describe('The uuid of the batch.'),
});

const presentWeighed = presenter(weighedReply);

const base = '/api/knowledge/ingestion-batches';

const documents = '/api/knowledge/documents';

const documentOperations: Operation[] = [
  ...resource({
    base: documents,
    tag: 'Ingestion',
    access: 'knowledge.write',
    params: batchParams,
    reply: documentReply,
    present: presenter(documentReply),
    list: {
      summary: 'The documents of a stated source, by name',
      query: {
        source: sourceName.describe('The source that was stated when they were ingested.'),
        app_id: uploadFields.shape.app_id,
        domain: uploadFields.shape.domain,
      },
      refusals: ['not_found', 'conflict', 'unprocessable'],
      run: listDocuments,
    },
  }),
  operation({
    method: 'get',
    path: `${documents}/:batch_id`,
    tag: 'Ingestion',
    summary: 'A document, by its last batch, with what removing it would do',
    access: 'knowledge.write',
    params: batchParams,
    replies: { 200: weighedReply },
    handle: async (app, { actor, params }) => ({
      body: presentWeighed(await getDocument(app, actor, params.batchId)),
    }),
  }),
  operation({
    method: 'delete',
    path: `${documents}/:batch_id`,
    tag: 'Ingestion',
    summary: 'Remove a document whose file is gone: published entries become drafts, drafts go',
    access: 'knowledge.write',
    params: batchParams,
    replies: { 200: prunedReply },
    refusals: ['conflict'],
    async handle(app, { actor, params }) {
      const { takenBack, deleted } = await pruneDocument(app, actor, params.batchId);
      return { body: { success: true, taken_back: takenBack, deleted } };
    },
  }),
];

/** Uploading a file and predicting its result: of any kind that is read, or of PDFs alone. */
function uploadOperations(path: string, only?: 'pdf'): Operation[] {
  const accepted = only === 'pdf' ? uploadFields : documentFields;
  return [
    operation({
      method: 'post',
      path,
      tag: 'Ingestion',
      summary: `Upload a ${only === 'pdf' ? 'PDF' : 'document'}, to be turned into draft entries in the background`,
      access: 'knowledge.write',
      limit: 'upload',
      upload: {
        file: 'file',
        mediaType: only === 'pdf' ? 'application/pdf' : 'application/octet-stream',
        fields: accepted,
      },
      replies: { 200: startedReply, 202: startedReply },
      replyHeaders: ['Location'],
      refusals: [
        'not_a_pdf',
        ...(only === 'pdf' ? [] : unreadKinds),
        'file_too_large',
        'not_found',
        'conflict',
        'unprocessable',
      ],
      async handle(app, { identify, ctx }) {
        const limit = app.config.ingestion.max_file_mb;
        const { fields: given, ...file } = await receiveUpload(
          ctx,
          'file',
          limit * 1024 * 1024,
          () => fileTooLarge(limit),
        );
        const fields = camelKeys(validate(accepted, given));
        // The upload may have taken hours, so identify the caller again.
        const actor = await identify();
        const started = await startIngestion(app, actor, { ...fields, ...file, only });
        const { batch, duplicate } = started;
        const message = duplicate
          ? `This very file was ingested before. Its batch is at ${base}/${batch.id}`
          : `Accepted. Poll ${base}/${batch.id} for its progress.`;
        return {
          status: duplicate ? 200 : 202,
          body: { batch_id: batch.id, status: batch.status, message, duplicate },
          headers: { Location: `${base}/${batch.id}` },
        };
      },
    }),
    operation({
      method: 'get',
      path,
      tag: 'Ingestion',
      summary: 'Predict the result of an upload before sending the file',
      access: 'knowledge.write',
      query: lookUpQuery,
      replies: { 200: lookedUpReply },
      refusals: ['not_found', 'conflict', 'unprocessable'],
      async handle(app, { actor, query }) {
        const { target, standing, batch } = await lookUpFile(app, actor, query);
        const body = {
          standing,
          batch:
            batch === undefined ? null : presentBatch(await getBatchState(app, actor, batch.id)),
          app_id: target.app.id,
          domain: target.domain,
          domain_is_registered: target.domainIsRegistered,
          max_file_mb: app.config.ingestion.max_file_mb,
        };
        return { body };
      },
    }),
  ];
}

const unreadKinds = ['unsupported_kind', 'encrypted', 'damaged'] as const;

export const ingestionOperations: Operation[] = [
  ...draftOperations,
  ...uploadOperations('/api/knowledge/ingest-pdf', 'pdf'),
  ...uploadOperations('/api/knowledge/ingest'),
  ...documentOperations,
  ...resource({
    base,
    tag: 'Ingestion',
    access: 'knowledge.write',
    params: batchParams,
    reply: batchReply,
    present: presentBatch,
    list: {
      summary: 'The batches, newest first',
      query: {
        status: z
          .enum(batchStatuses)
          .optional()
          .describe(
            'Only batches of this status. `failed` leaves out pages of folders and websites without text of their own.',
          ),
      },
      run: listBatches,
    },
  }),
  operation({
    method: 'get',
    path: `${base}/:batch_id`,
    tag: 'Ingestion',
    summary: 'A batch with its progress and its entries',
    access: 'knowledge.write',
    params: batchParams,
    replies: { 200: batchWithEntriesReply },
    handle: async (app, { actor, params }) => ({
      body: presentBatchWithEntries(await getBatch(app, actor, params.batchId)),
    }),
  }),
  operation({
    method: 'get',
    path: `${base}/:batch_id/events`,
    tag: 'Ingestion',
    summary: 'A batch’s progress as server-sent events, until it ends',
    access: 'knowledge.write',
    params: batchParams,
    replies: { 200: undefined },
    produces: 'text/event-stream',
    async handle(app, { actor, identify, params, ctx }) {
      const unread = goneSignal(ctx, app.stopping);
      const events = await batchEvents(app, actor, params.batchId, unread, identify);
      return { ...eventStream(events, app.stopping) };
    },
  }),
  operation({
    method: 'post',
    path: `${base}/:batch_id/approve`,
    tag: 'Ingestion',
    summary: 'Publish entries of a batch; those that replace an entry become its next version',
    access: 'knowledge.write',
    params: batchParams,
    body: z.strictObject({
      entry_ids: z
        .array(z.int().min(1))
        .max(100_000)
        .describe('The numbers of entries of this batch.'),
      delete_gone: z
        .boolean()
        .optional()
        .describe('true deletes, too, the entries that the batch lists as gone. Default: false.'),
    }),
    replies: {
      200: z.object({
        success: z.boolean(),
        approved: z.number().describe('The number of entries published by this call.'),
        deleted: z
          .number()
          .optional()
          .describe('How many gone entries were deleted, where that was asked for.'),
      }),
    },
    refusals: ['unprocessable', 'conflict'],
    async handle(app, { actor, params, body }) {
      const { approved, deleted } = await approveBatch(app, actor, { ...params, ...body });
      const more = body.deleteGone === true ? { deleted } : {};
      return { body: { success: true, approved, ...more } };
    },
  }),
  operation({
    method: 'post',
    path: `${base}/:batch_id/retry`,
    tag: 'Ingestion',
    summary: 'Start a failed batch again',
    access: 'knowledge.write',
    params: batchParams,
    replies: { 202: batchReply },
    refusals: ['conflict'],
    handle: async (app, { actor, params }) => ({
      body: presentBatch(await retryBatch(app, actor, params.batchId)),
    }),
  }),
  operation({
    method: 'delete',
    path: `${base}/:batch_id`,
    tag: 'Ingestion',
    summary: 'Remove a batch and its drafts; approved entries stay',
    access: 'knowledge.write',
    params: batchParams,
    replies: {
      200: z.object({
        success: z.boolean(),
        deleted: z.number().describe('How many drafts were removed.'),
      }),
    },
    async handle(app, { actor, params }) {
      const deleted = await deleteBatch(app, actor, params.batchId);
      return { body: { success: true, deleted } };
    },
  }),
];
