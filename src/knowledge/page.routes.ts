import { z } from 'zod';
import { operation, type Operation } from '../platform/http/operation.js';
import { flagText } from '../platform/http/paging.js';
import { pageQuery, pageReply, presentPage } from './page.schema.js';
import { queryPage } from './query-page.js';

export const pageOperations: Operation[] = [
  operation({
    method: 'get',
    path: '/api/knowledge/page',
    tag: 'Knowledge',
    summary: 'The knowledge of a page that the caller may see',
    access: 'optional',
    query: z.strictObject({
      ...pageQuery,
      own: flagText
        .prefault('false')
        .describe('true: sites of other organizations count as unregistered.'),
    }),
    replies: { 200: pageReply },
    async handle(app, { actor, query }) {
      const result = await queryPage(app, actor, { ...query, ownOnly: query.own });
      return { body: presentPage(result) };
    },
  }),
];
