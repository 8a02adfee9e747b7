import { z } from 'zod';
import { answerModes } from '../answers/answer.js';
import { goneSignal } from '../platform/http/gone-signal.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, pagingQuery } from '../platform/http/paging.js';
import { channels } from '../usage/record-usage.js';
import type { Conversation, Message } from './conversation.js';
import { pageContext } from './page-context.js';
import { listConversations, listMessages } from './read-conversations.js';
import { messageReply, presentReply, presentSource, sourceReply } from './present-reply.js';
import { sendMessage } from './send-message.js';

const conversation = z.object({
  id: z.string(),
  title: z.string(),
  channel: z.enum(channels),
  app_id: z.number().nullable(),
  user_id: z.number().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

const message = z.object({
  id: z.number(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  status: z.enum(['complete', 'incomplete']),
  language: z.string(),
  mode: z.enum(answerModes).nullable(),
  found: z.boolean().nullable(),
  sources: z.array(sourceReply),
  created_at: z.string(),
});

const listQuery = z.strictObject(pagingQuery);

export const conversationOperations: Operation[] = [
  operation({
    method: 'post',
    path: '/api/conversations/message',
    tag: 'Conversations',
    summary: 'Ask a question about a page',
    access: 'ask',
    limit: 'message',
    body: z.strictObject({
      message: z.string().min(1).max(8000),
      context: pageContext,
      conversationId: z.string().min(1).max(100).optional(),
    }),
    replies: { 200: messageReply },
    refusals: ['not_found', 'model_unavailable'],
    async handle(app, { actor, body, ctx }) {
      const result = await sendMessage(app, actor, {
        message: body.message,
        page: { url: body.context.url, title: body.context.title },
        conversationId: body.conversationId,
        channel: 'api',
        signal: goneSignal(ctx),
      });
      return { status: 200, body: presentReply(result) };
    },
  }),
  operation({
    method: 'get',
    path: '/api/conversations',
    tag: 'Conversations',
    summary: 'The conversations that the caller may read, the latest first',
    access: 'ask',
    query: listQuery,
    replies: { 200: listOf(conversation) },
    async handle(app, { actor, query }) {
      const { conversations, total } = await listConversations(app, actor, query);
      const { page, limit } = query;
      const data = conversations.map(presentConversation);
      return { status: 200, body: { data, pagination: { total, page, limit } } };
    },
  }),
  operation({
    method: 'get',
    path: '/api/conversations/:id/messages',
    tag: 'Conversations',
    summary: 'The messages of a conversation, oldest first',
    access: 'ask',
    params: z.object({ id: z.string().min(1).max(100).describe('The uuid of the conversation.') }),
    query: listQuery,
    replies: { 200: listOf(message) },
    async handle(app, { actor, params, query }) {
      const { messages, total } = await listMessages(app, actor, {
        conversationId: params.id,
        ...query,
      });
      const { page, limit } = query;
      return {
        status: 200,
        body: { data: messages.map(presentMessage), pagination: { total, page, limit } },
      };
    },
  }),
];

function presentConversation(item: Conversation): z.output<typeof conversation> {
  return {
    id: item.id,
    title: item.title,
    channel: item.channel,
    app_id: item.appId,
    user_id: item.userId,
    created_at: item.createdAt,
    updated_at: item.updatedAt,
  };
}

function presentMessage(item: Message): z.output<typeof message> {
  const { id, role, content, status, language, mode, found, sources, createdAt } = item;
  return {
    id,
    role,
    content,
    status,
    language,
    mode,
    found,
    sources: sources.map(presentSource),
    created_at: createdAt,
  };
}
