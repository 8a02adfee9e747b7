import { z } from 'zod';
import { approveBatch } from '../../ingestion/review/approve-batch.js';
import { getBatchReport } from '../../ingestion/review/get-report.js';
import { draftStates, getReview } from '../../ingestion/review/read-review.js';
import { deleteBatch, retryBatch } from '../../ingestion/review/review-batch.js';
import { action, page } from '../page.js';
import { batchParams } from './batch-params.js';
import { BatchView } from './batch-view.js';
import { openDrafts, requireCount } from './queue.js';

export const batchPage = page({
  path: '/documents/:id',
  access: 'knowledge.write',
  params: batchParams,
  query: z.object({
    ask: z.enum(['approve', 'delete']).optional().catch(undefined),
    state: z.enum(draftStates).optional().catch(undefined),
    after: z.coerce.number().int().min(1).optional().catch(undefined),
  }),
  async show(app, { actor, params, query, fault }) {
    const report = await getBatchReport(app, actor, params.id);
    const asked = fault === undefined ? query.ask : askOf[fault.action];
    return {
      title: report.batch.fileName,
      section: '/documents',
      body: <BatchView report={report} query={{ ...query, ask: asked }} />,
    };
  },
  actions: {
    approve: action({
      form: z.object({
        count: z.coerce.number().int().min(0),
        delete_gone: z
          .literal('on')
          .optional()
          .transform((on) => on === 'on'),
      }),
      done: 'approved',
      async act(app, { actor, params, form }) {
        const { id: batchId } = batchParams.parse(params);
        const { drafts } = await getReview(app, actor, batchId);
        const entryIds = openDrafts(drafts)
          .filter(({ takenBack }) => !takenBack)
          .map(({ id }) => id);
        requireCount(entryIds.length, form.count);
        await approveBatch(app, actor, { batchId, entryIds, deleteGone: form.deleteGone });
      },
    }),
    retry: action({
      done: 'retried',
      async act(app, { actor, params }) {
        const { id } = batchParams.parse(params);
        await retryBatch(app, actor, id);
      },
    }),
    delete: action({
      async act(app, { actor, params }) {
        await deleteBatch(app, actor, batchParams.parse(params).id);
        return { to: '/documents', done: 'batchDeleted' };
      },
    }),
  },
});

const askOf: Record<string, 'approve' | 'delete'> = { approve: 'approve', delete: 'delete' };
