import { z } from 'zod';
import {
  conversationReply,
  messageItem,
  presentConversation,
  presentMessage,
} from '../conversations/conversations.schema.js';
import { askedPage, pageContext } from '../conversations/page-context.js';
import { deleteConversation } from '../conversations/delete-conversation.js';
import { messageReply, presentReply } from '../conversations/present-reply.js';
import { listConversations, listMessages } from '../conversations/read-conversations.js';
import { startAnswer } from '../conversations/running-answers.js';
import { sendMessage } from '../conversations/send-message.js';
import { answerEvents, cancelAnswer, watchAnswer } from '../conversations/watch-answer.js';
import { addressKey, clientAddress } from '../platform/http/client-address.js';
import { eventStream } from '../platform/http/event-stream.js';
import { goneSignal } from '../platform/http/gone-signal.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, pagingQuery } from '../platform/http/paging.js';
import { claimsOfCall } from './cors.js';
import { welcomed } from './welcomed.js';
import { visitorTokenOf } from './visitor-token-of.js';
import { visitorTokenReply } from './widget.schema.js';

const params = z.object({
  id: z.string().min(1).max(100).describe('The uuid of the conversation.'),
});
const questionParams = params.extend({
  message_id: z.coerce.number().int().min(1).describe('The number of the question.'),
});

const widgetReply = messageReply.extend({ visitorToken: visitorTokenReply });

export const widgetOperations: Operation[] = [
  operation({
    method: 'post',
    path: '/widget/message',
    tag: 'Widget',
    summary:
      'Ask a question from a page of an app; with Accept: text/event-stream, read the answer as it comes',
    access: 'widget',
    limit: 'message',
    body: z.strictObject({
      message: z.string().min(1).max(8000),
      context: pageContext,
      conversationId: z.string().min(1).max(100).optional(),
    }),
    replies: { 200: widgetReply },
    streams: true,
    refusals: ['not_found', 'model_unavailable', 'quota_exceeded', 'cancelled'],
    async handle(app, { actor, body, ctx }) {
      const { message, context, conversationId } = body;
      const asked = {
        ...{ message, conversationId, channel: 'widget' as const },
        page: askedPage(context),
        from: addressKey(clientAddress(ctx)),
        claimOn: claimsOfCall(app, ctx),
      };
      if (ctx.accepts(['application/json', 'text/event-stream']) === 'text/event-stream') {
        const [running, token] = await Promise.all([
          startAnswer(app, actor, asked),
          visitorTokenOf(app, actor),
        ]);
        return { status: 200, ...eventStream(welcomed(token, answerEvents(running.events()))) };
      }
      const [result, token] = await Promise.all([
        sendMessage(app, actor, { ...asked, signal: goneSignal(ctx) }),
        visitorTokenOf(app, actor),
      ]);
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
    method: 'delete',
    path: '/widget/conversations/:id',
    tag: 'Widget',
    summary: 'Delete a conversation of this end user or visitor, with all that was said in it',
    access: 'widget',
    params,
    replies: { 204: undefined },
    async handle(app, { actor, params }) {
      await deleteConversation(app, actor, params.id, 'widget');
      return { status: 204 };
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
  operation({
    method: 'get',
    path: '/widget/conversations/:id/messages/:message_id/events',
    tag: 'Widget',
    summary: 'Read on an answer of one’s own after a lost connection, as server-sent events',
    access: 'widget',
    params: questionParams,
    replies: { 200: undefined },
    produces: 'text/event-stream',
    refusals: ['interrupted'],
    async handle(app, { actor, params, ctx }) {
      const last = Number.parseInt(ctx.get('Last-Event-ID'), 10);
      const after = Number.isSafeInteger(last) ? last : undefined;
      const input = { conversationId: params.id, messageId: params.message_id, after };
      return { status: 200, ...eventStream(await watchAnswer(app, actor, input, 'widget')) };
    },
  }),
  operation({
    method: 'post',
    path: '/widget/conversations/:id/messages/:message_id/cancel',
    tag: 'Widget',
    summary: 'End an answer of one’s own that is under way; what was said is kept',
    access: 'widget',
    params: questionParams,
    replies: { 204: undefined },
    async handle(app, { actor, params }) {
      const input = { conversationId: params.id, messageId: params.message_id };
      await cancelAnswer(app, actor, input, 'widget');
      return { status: 204 };
    },
  }),
];
