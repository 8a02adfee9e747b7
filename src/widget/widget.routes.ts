import { z } from 'zod';
import {
  conversationReply,
  messageItem,
  presentConversation,
  presentMessage,
} from '../conversations/conversations.schema.js';
import { pageContext } from '../conversations/page-context.js';
import { messageReply, presentReply } from '../conversations/present-reply.js';
import { listConversations, listMessages } from '../conversations/read-conversations.js';
import { sendMessage } from '../conversations/send-message.js';
import { goneSignal } from '../platform/http/gone-signal.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, pagingQuery } from '../platform/http/paging.js';
import { visitorTokenOf } from './visitor-token-of.js';

const params = z.object({
  id: z.string().min(1).max(100).describe('The uuid of the conversation.'),
});

const widgetReply = messageReply.extend({
  visitorToken: z
    .string()
    .optional()
    .describe(
      'To be sent as X-Visitor-Token from now on: without it nothing asked is shown again.',
    ),
});

export const widgetOperations: Operation[] = [
  operation({
    method: 'post',
    path: '/widget/message',
    tag: 'Widget',
    summary: 'Ask a question from a page of an app',
    access: 'widget',
    limit: 'message',
    body: z.strictObject({
      message: z.string().min(1).max(8000),
      context: pageContext,
      conversationId: z.string().min(1).max(100).optional(),
    }),
    replies: { 200: widgetReply },
    refusals: ['not_found', 'model_unavailable', 'quota_exceeded'],
    async handle(app, { actor, body, ctx }) {
      const result = await sendMessage(app, actor, {
        message: body.message,
        page: { url: body.context.url, title: body.context.title },
        conversationId: body.conversationId,
        channel: 'widget',
        signal: goneSignal(ctx),
      });
      const token = await visitorTokenOf(app, actor);
      return { status: 200, body: { ...presentReply(result), ...token } };
    },
  }),
  operation({
    method: 'get',
    path: '/widget/conversations',
    tag: 'Widget',
    summary: 'What this end user or visitor has asked, the latest first',
    access: 'widget',
    query: z.strictObject(pagingQuery),
    replies: { 200: listOf(conversationReply) },
    async handle(app, { actor, query }) {
      const paged = await listConversations(app, actor, query, 'widget');
      return listReply(paged, query, presentConversation);
    },
  }),
  operation({
    method: 'get',
    path: '/widget/conversations/:id/messages',
    tag: 'Widget',
    summary: 'The messages of a conversation of this end user or visitor, oldest first',
    access: 'widget',
    params,
    query: z.strictObject(pagingQuery),
    replies: { 200: listOf(messageItem) },
    async handle(app, { actor, params, query }) {
      const input = { conversationId: params.id, ...query };
      const paged = await listMessages(app, actor, input, 'widget');
      return listReply(paged, query, presentMessage);
    },
  }),
];
