import { z } from 'zod';
import { eventStream } from '../platform/http/event-stream.js';
import { operation, type Access, type Operation, type Tag } from '../platform/http/operation.js';
import { listOf, listReply, numberText, pagingQuery } from '../platform/http/paging.js';
import type { Channel } from '../usage/payer.js';
import { messageItem, presentMessage } from './conversations.schema.js';
import { deleteConversation } from './delete-conversation.js';
import { listMessages } from './read-conversations.js';
import { cancelAnswer, watchAnswer } from './answering/watch-answer.js';

export const conversationParams = z.object({
  id: z.string().min(1).max(100).describe('The uuid of the conversation.'),
});
const questionParams = conversationParams.extend({
  message_id: numberText.describe('The number of the question.'),
});

interface Door {
  /** The base path: `/api/conversations`, or the widget's. */
  base: string;
  access: Access;
  tag: Tag;
  /** The only channel whose conversations are accessible there. */
  over?: Channel;
  /** Whose conversations may be deleted there. */
  deletes: string;
}

/** The operations on a conversation, equal for both doors: read it, follow or cancel an answer, delete it. */
export function conversationDoor({ base, access, tag, over, deletes }: Door): Operation[] {
  return [
    operation({
      method: 'delete',
      path: `${base}/:id`,
      tag,
      access,
      summary: deletes,
      params: conversationParams,
      replies: { 204: undefined },
      async handle(app, { actor, params }) {
        await deleteConversation(app, actor, params.id, over);
      },
    }),
    operation({
      method: 'get',
      path: `${base}/:id/messages`,
      tag,
      access,
      summary: 'The messages of a conversation, oldest first',
      params: conversationParams,
      query: z.strictObject(pagingQuery),
      replies: { 200: listOf(messageItem) },
      async handle(app, { actor, params, query }) {
        const input = { conversationId: params.id, ...query };
        return listReply(await listMessages(app, actor, input, over), query, presentMessage);
      },
    }),
    operation({
      method: 'get',
      path: `${base}/:id/messages/:message_id/events`,
      tag,
      access,
      summary: 'Resume your own answer after a lost connection, as server-sent events',
      params: questionParams,
      replies: { 200: undefined },
      produces: 'text/event-stream',
      refusals: ['interrupted'],
      async handle(app, { actor, params, ctx }) {
        const last = Number.parseInt(ctx.get('Last-Event-ID'), 10);
        const after = Number.isSafeInteger(last) ? last : undefined;
        const input = { conversationId: params.id, messageId: params.messageId, after };
        return { ...eventStream(await watchAnswer(app, actor, input, over)) };
      },
    }),
    operation({
      method: 'post',
      path: `${base}/:id/messages/:message_id/cancel`,
      tag,
      access,
      summary: 'End an answer of your own that is under way; what was said is kept',
      params: questionParams,
      replies: { 204: undefined },
      async handle(app, { actor, params }) {
        await cancelAnswer(app, actor, { ...params, conversationId: params.id }, over);
      },
    }),
  ];
}
