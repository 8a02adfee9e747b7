import { Readable } from 'node:stream';
import { z } from 'zod';
import { eventStream } from '../platform/http/event-stream.js';
import { fileHeaders, fileTypes } from '../platform/http/file-headers.js';
import { goneSignal } from '../platform/http/request-end.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { flagText, numberText, listOf, listReply, pagingQuery } from '../platform/http/paging.js';
import { resource } from '../platform/http/resource.js';
import { channels } from '../usage/payer.js';
import { conversationDoor, conversationParams } from './conversation-door.routes.js';
import { formats, ratings } from './store/conversation.js';
import {
  conversationReply,
  feedbackReply,
  presentConversation,
  presentFeedback,
  citingAnswerReply,
  presentCitingAnswer,
} from './conversations.schema.js';
import { askedPage, pageContext } from './store/page-context.js';
import { messageReply, presentReply } from './answering/present-reply.js';
import { exportConversations } from './export-conversations.js';
import { rateMessage, unrateMessage } from './rate-message.js';
import { getConversation, listConversations } from './read-conversations.js';
import { sendMessage, startAnswer } from './answering/running-answers.js';
import { answerEvents } from './answering/watch-answer.js';
import { listAnswersCiting } from './list-answers-citing.js';

const messageParams = conversationParams.extend({
  message_id: numberText.describe('The number of an answer in it.'),
});
const onlyTrue = z
  .literal('true')
  .transform(() => true as const)
  .optional();
const spanDay = z.iso.date().optional();
/** The filter of a list or an export of conversations. */
const filters = {
  channel: z.enum(channels).optional().describe('Only conversations over this channel.'),
  app_id: numberText.optional().describe('Begun on pages of this app alone.'),
  user_id: numberText
    .optional()
    .describe(
      'Of this user alone, held in widgets as a linked identity too; without the right to read them, none.',
    ),
  found: flagText
    .optional()
    .describe(
      'false: with a question that the knowledge could not answer; true: with one it could.',
    ),
  rating: z.enum(ratings).optional().describe('Only conversations with an answer of this rating.'),
  commented: onlyTrue.describe(
    'true: with a comment on an answer; with a rating, on an answer of this rating.',
  ),
  incomplete: onlyTrue.describe('true: with an answer that broke off.'),
  q: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'With a message that has all of these words, other forms of them, or longer words that begin with them. For staff alone.',
    ),
  from: spanDay.describe(
    'With a reply since this day, YYYY-MM-DD, in the time zone of the organization.',
  ),
  to: spanDay.describe('With a reply until this day; at most 366 days.'),
};
/** The widget has its own endpoint, so nobody can make an organization pay here. */
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
        return { ...eventStream(answerEvents(running.events())) };
      }
      const result = await sendMessage(app, actor, { ...asked, signal: goneSignal(ctx) });
      return { body: presentReply(result) };
    },
  }),
  operation({
    method: 'post',
    path: '/api/conversations/export',
    tag: 'Conversations',
    summary:
      'The conversations of the organization with their messages, as a file; it stands in the record of changes',
    access: 'conversations.read_all',
    query: z.strictObject({
      format: z
        .enum(formats)
        .default('jsonl')
        .describe('jsonl: a line for each conversation; csv: a row for each message.'),
      ...filters,
    }),
    replies: { 200: undefined },
    produces: formats.map((format) => fileTypes[format]),
    refusals: ['not_found', 'rate_limited'],
    async handle(app, { identify, query }) {
      const pieces = await exportConversations(app, identify, query);
      return { body: Readable.from(pieces), headers: fileHeaders('conversations', query.format) };
    },
  }),
  ...resource({
    base: '/api/conversations',
    tag: 'Conversations',
    access: 'ask',
    params: conversationParams,
    reply: conversationReply,
    present: presentConversation,
    list: {
      summary: 'The conversations that the caller may read, the latest first',
      query: filters,
      refusals: ['not_found', 'forbidden'],
      run: listConversations,
    },
    show: { summary: 'A conversation that the caller may read', run: getConversation },
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
    summary: 'Rate an answer that you received',
    access: 'ask',
    params: messageParams,
    body: z.strictObject({
      rating: z.enum(ratings),
      comment: z.string().max(2000).optional().describe('Omitted: an earlier one is removed.'),
    }),
    replies: { 200: feedbackReply },
    refusals: ['unprocessable'],
    async handle(app, { actor, params, body }) {
      const input = { conversationId: params.id, messageId: params.messageId, ...body };
      return { body: presentFeedback(await rateMessage(app, actor, input)) };
    },
  }),
  operation({
    method: 'delete',
    path: '/api/conversations/:id/messages/:message_id/feedback',
    tag: 'Conversations',
    summary: 'Remove your rating of an answer',
    access: 'ask',
    params: messageParams,
    replies: { 204: undefined },
    refusals: ['unprocessable'],
    async handle(app, { actor, params }) {
      await unrateMessage(app, actor, { conversationId: params.id, messageId: params.messageId });
    },
  }),
];

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
