import { z } from 'zod';
import { longestText, longestTitle } from '../../knowledge/entry.js';
import { entryReply, presentEntry } from '../../knowledge/knowledge.schema.js';
import { operation, type Operation } from '../../platform/http/operation.js';
import { mergeDraft } from './merge-draft.js';
import { replaceInDrafts } from './replace-in-drafts.js';
import { presentReplaced, replacedReply, replacementBody } from './replace.schema.js';
import { splitDraft } from './split-draft.js';
import { undoReshaping } from './undo-reshaping.js';

const draftsReply = z.object({
  drafts: z.array(entryReply).describe('In the order of the document.'),
});

const draftParams = z.object({
  id: z.string().min(1).max(100).describe('The uuid of the draft, or its number.'),
});

/** Merging and splitting drafts, which have the addresses of entries, and correcting all drafts of a batch. */
export const draftOperations: Operation[] = [
  operation({
    method: 'post',
    path: '/api/knowledge/:id/merge',
    tag: 'Ingestion',
    summary:
      'Take the next draft of a batch into this one; with If-Match only if nobody changed it',
    access: 'knowledge.write',
    params: draftParams,
    body: z.strictObject({
      next: z
        .int()
        .min(1)
        .optional()
        .describe('The number of the next draft: refused with conflict where another one is.'),
    }),
    replies: {
      200: z.object({
        draft: entryReply,
        gone: entryReply
          .nullable()
          .describe('The entry that the second draft replaced: the batch lists it as gone.'),
      }),
    },
    refusals: ['conflict', 'precondition_failed'],
    async handle(app, { actor, params, body, ctx }) {
      const draft = { name: params.id, ifMatch: ctx.req.headers['if-match'], ...body };
      const { entry, gone } = await mergeDraft(app, actor, draft);
      return {
        body: { draft: presentEntry(entry), gone: gone === undefined ? null : presentEntry(gone) },
      };
    },
  }),
  operation({
    method: 'post',
    path: '/api/knowledge/:id/split',
    tag: 'Ingestion',
    summary: 'Cut a draft of a batch in two; with If-Match only if nobody changed it',
    access: 'knowledge.write',
    params: draftParams,
    body: z.strictObject({
      position: z
        .int()
        .min(1)
        .max(longestText)
        .describe('Where the second part begins, in UTF-16 units of the text, from 0.'),
      title: z
        .string()
        .max(longestTitle)
        .optional()
        .describe('The title of the second part. Default: its heading, else its first line.'),
    }),
    replies: { 200: draftsReply },
    refusals: ['conflict', 'precondition_failed'],
    async handle(app, { actor, params, body, ctx }) {
      const draft = { name: params.id, ifMatch: ctx.req.headers['if-match'], ...body };
      const { first, second } = await splitDraft(app, actor, draft);
      return { body: { drafts: [first, second].map(presentEntry) } };
    },
  }),
  operation({
    method: 'post',
    path: '/api/knowledge/:id/undo',
    tag: 'Ingestion',
    summary:
      'Undo the last merge, split or replacement of a draft; with If-Match only if nobody changed it',
    access: 'knowledge.write',
    params: draftParams,
    replies: { 200: draftsReply },
    refusals: ['conflict', 'precondition_failed'],
    async handle(app, { actor, params, ctx }) {
      const draft = { name: params.id, ifMatch: ctx.req.headers['if-match'] };
      const drafts = await undoReshaping(app, actor, draft);
      return { body: { drafts: drafts.map(presentEntry) } };
    },
  }),
  operation({
    method: 'post',
    path: '/api/knowledge/ingestion-batches/:batch_id/replace',
    tag: 'Ingestion',
    summary: 'Replace a text in all drafts of a batch',
    access: 'knowledge.write',
    params: z.object({
      batch_id: z.string().min(1).max(100).describe('The uuid of the batch.'),
    }),
    body: replacementBody,
    replies: { 200: replacedReply },
    refusals: ['conflict'],
    async handle(app, { actor, params, body }) {
      const { entryIds, replacement = '', wholeLines = false, ...rest } = body;
      const drafts = entryIds?.map((id) => ({ name: String(id) }));
      const wanted = { ...params, ...rest, replacement, wholeLines, drafts };
      return { body: presentReplaced(await replaceInDrafts(app, actor, wanted)) };
    },
  }),
];
