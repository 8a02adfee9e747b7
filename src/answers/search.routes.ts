import { z } from 'zod';
import { visibilities } from '../platform/actor.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { pagingQuery } from '../platform/http/paging.js';
import { explainEntries } from './explain-entries.js';
import { presentSearch, searchReply } from './search.schema.js';

const searchQuery = z.strictObject({
  ...pagingQuery,
  q: z.string().min(1).max(8000).describe('A question, or words.'),
  url: z.string().min(1).max(2000).optional().describe('The page from which it is asked.'),
  tier: z
    .enum(visibilities)
    .optional()
    .describe(
      'The highest tier that the person who asks sees; by default all that the caller sees.',
    ),
  entry: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('An entry, by uuid or number. The reply explains why it is found, or not.'),
});

export const searchOperations: Operation[] = [
  operation({
    method: 'get',
    path: '/api/knowledge/search',
    tag: 'Knowledge',
    summary: 'What a question finds, with what each rank is made of, and why an entry is not found',
    access: 'knowledge.write',
    query: searchQuery,
    replies: { 200: searchReply },
    refusals: ['not_found'],
    async handle(app, { actor, query }) {
      const { q: text, ...rest } = query;
      const explained = await explainEntries(app, actor, { text, ...rest });
      return { body: presentSearch(explained, query) };
    },
  }),
];
