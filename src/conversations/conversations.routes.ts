import { z } from 'zod';
import { eventStream } from '../platform/http/event-stream.js';
import { goneSignal } from '../platform/http/gone-signal.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, pagingQuery } from '../platform/http/paging.js';
import { channels } from '../usage/payer.js';
import { conversationDoor, conversationParams } from './conversation-door.routes.js';
import { ratings } from './store/conversation.js';
import {
  conversationReply,
  feedbackReply,
  presentConversation,
  presentFeedback,
} from './conversations.schema.js';
import { askedPage, pageContext } from './store/page-context.js';
import { messageReply, presentReply } from './answering/present-reply.js';
import { rateMessage, unrateMessage } from './rate-message.js';
import { getConversation, listConversations } from './read-conversations.js';
import { startAnswer } from './answering/running-answers.js';
import { sendMessage } from './answering/send-message.js';
import { answerEvents } from './answering/watch-answer.js';

const messageParams = conversationParams.extend({
  message_id: z.coerce.number().int().min(1).describe('The number of an answer in it.'),
});
const number = z.coerce.number().int().min(1);
/** The widget has an endpoint of its own: nobody can say here that an organization is to pay. */
const ownChannels = ['api', 'extension'] as const;

export const conversationOperations: Operation[] = [
  operation({
    method: 'post',
    path: '/api/conversations/message',
    tag: 'Conversations',
    summary:
      'Ask a question about a page; with Accept: text/event-stream, read the answer as it comes',
    access: 'ask',
    limit: 'message',
    body: z.strictObject({
      message: z.string().min(1).max(8000),
      context: pageContext,
      conversationId: z.string().min(1).max(100).optional(),
      channel: z
        .enum(ownChannels)
        .default('api')
        .describe('Where you ask; your own credits pay for both.'),
    }),
    replies: { 200: messageReply },
    streams: true,
    refusals: ['not_found', 'model_unavailable', 'quota_exceeded', 'cancelled'],
    async handle(app, { actor, body, ctx }) {
      const { message, context, conversationId, channel } = body;
      const asked = { message, conversationId, channel, page: askedPage(context) };
      if (ctx.accepts(['application/json', 'text/event-stream']) === 'text/event-stream') {
        const running = await startAnswer(app, actor, asked);
        return { status: 200, ...eventStream(answerEvents(running.events())) };
      }
      const result = await sendMessage(app, actor, { ...asked, signal: goneSignal(ctx) });
      return { status: 200, body: presentReply(result) };
    },
  }),
  operation({
    method: 'get',
    path: '/api/conversations',
    tag: 'Conversations',
    summary: 'The conversations that the caller may read, the latest first',
    access: 'ask',
    query: z.strictObject({
      ...pagingQuery,
      channel: z.enum(channels).optional().describe('Held over this channel alone.'),
      app_id: number.optional().describe('Begun on pages of this app alone.'),
      user_id: number
        .optional()
        .describe(
          'Of this user alone, held in widgets as a linked identity too; without the right to read them, none.',
        ),
      found: z
        .enum(['true', 'false'])
        .optional()
        .describe(
          'false: with a question that the knowledge could not answer; true: with one it could.',
        ),
      rating: z.enum(ratings).optional().describe('With an answer that was rated so.'),
    }),
    replies: { 200: listOf(conversationReply) },
    refusals: ['not_found'],
    async handle(app, { actor, query }) {
      const { app_id: appId, user_id: userId, found: held, ...rest } = query;
      const found = held === undefined ? undefined : held === 'true';
      const paged = await listConversations(app, actor, { ...rest, appId, userId, found });
      return listReply(paged, query, presentConversation);
    },
  }),
  operation({
    method: 'get',
    path: '/api/conversations/:id',
    tag: 'Conversations',
    summary: 'A conversation that the caller may read',
    access: 'ask',
    params: conversationParams,
    replies: { 200: conversationReply },
    async handle(app, { actor, params }) {
      return {
        status: 200,
        body: presentConversation(await getConversation(app, actor, params.id)),
      };
    },
  }),
  ...conversationDoor({
    base: '/api/conversations',
    access: 'ask',
    tag: 'Conversations',
    deletes: 'Delete a conversation: your own, or, as staff, any of your organization',
  }),
  operation({
    method: 'put',
    path: '/api/conversations/:id/messages/:message_id/feedback',
    tag: 'Conversations',
    summary: 'Say what you think of an answer that you were given',
    access: 'ask',
    params: messageParams,
    body: z.strictObject({
      rating: z.enum(ratings),
      comment: z.string().max(2000).optional().describe('Left out, an earlier one is taken back.'),
    }),
    replies: { 200: feedbackReply },
    refusals: ['unprocessable'],
    async handle(app, { actor, params, body }) {
      const input = { conversationId: params.id, messageId: params.message_id, ...body };
      return { status: 200, body: presentFeedback(await rateMessage(app, actor, input)) };
    },
  }),
  operation({
    method: 'delete',
    path: '/api/conversations/:id/messages/:message_id/feedback',
    tag: 'Conversations',
    summary: 'Take back what you said of an answer',
    access: 'ask',
    params: messageParams,
    replies: { 204: undefined },
    refusals: ['unprocessable'],
    async handle(app, { actor, params }) {
      await unrateMessage(app, actor, { conversationId: params.id, messageId: params.message_id });
      return { status: 204 };
    },
  }),
];
