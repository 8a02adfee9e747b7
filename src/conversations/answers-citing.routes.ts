import { z } from 'zod';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, pagingQuery } from '../platform/http/paging.js';
import { citingAnswerReply, presentCitingAnswer } from './conversations.schema.js';
import { listAnswersCiting } from './list-answers-citing.js';

export const citingOperations: Operation[] = [
  operation({
    method: 'get',
    path: '/api/knowledge/:id/answers',
    tag: 'Knowledge',
    summary: 'The answers that cite an entry, in conversations that the caller may read',
    access: 'knowledge.read',
    params: z.object({
      id: z.string().min(1).max(100).describe('The uuid of the entry, or its number.'),
    }),
    query: z.strictObject(pagingQuery),
    replies: { 200: listOf(citingAnswerReply) },
    async handle(app, { actor, params, query }) {
      const answers = await listAnswersCiting(app, actor, { name: params.id, ...query });
      return listReply(answers, query, presentCitingAnswer);
    },
  }),
];
