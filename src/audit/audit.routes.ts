import { z } from 'zod';
import { daySpanQuery } from '../platform/day-span.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, pagingQuery } from '../platform/http/paging.js';
import { changeReply, presentChange, listChanges } from './list-changes.js';

const text = z.string().min(1).max(200).optional();

export const auditOperations: Operation[] = [
  operation({
    method: 'get',
    path: '/api/admin/audit-log',
    tag: 'Administration',
    summary: 'What admins and operators changed, newest first',
    access: 'administer',
    query: z.strictObject({
      ...pagingQuery,
      ...daySpanQuery,
      actor: text.describe('Only changes by user:<id>, or by operator.'),
      action: text.describe('One action (batch.approve), or all on one kind of thing (batch).'),
      subject: text.describe('Only changes of this record, e.g. user:7.'),
    }),
    replies: { 200: listOf(changeReply) },
    async handle(app, { actor, query }) {
      return listReply(await listChanges(app, actor, query), query, presentChange);
    },
  }),
];
