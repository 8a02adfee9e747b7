import { z } from 'zod';
import { answerModes } from '../answers/answer.js';
import { channels } from '../usage/payer.js';
import {
  ratings,
  type Conversation,
  type Feedback,
  type ListedMessage,
} from './store/conversation.js';
import {
  mayBeRequested,
  presentSource,
  sourceReply,
  unsupportedReply,
  withheldReply,
} from './answering/present-reply.js';

export const conversationReply = z
  .object({
    id: z.string().describe('A uuid.'),
    title: z.string().describe('The beginning of its first question.'),
    channel: z.enum(channels),
    app_id: z.number().nullable().describe('Null: it began on no page of an app.'),
    user_id: z.number().nullable().describe('Null: it is no user’s.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
    updated_at: z.string().describe('When its last message was written.'),
  })
  .meta({ id: 'Conversation' });

export function presentConversation(item: Conversation): z.output<typeof conversationReply> {
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

export const feedbackReply = z
  .object({
    rating: z.enum(ratings),
    comment: z.string().nullable(),
    updated_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'Feedback' });

export function presentFeedback(feedback: Feedback): z.output<typeof feedbackReply> {
  const { rating, comment, updatedAt } = feedback;
  return { rating, comment, updated_at: updatedAt };
}

export const messageItem = z
  .object({
    id: z.number(),
    role: z.enum(['user', 'assistant']),
    content: z.string(),
    status: z
      .enum(['complete', 'incomplete'])
      .describe('incomplete: the model failed before the end, or was cancelled.'),
    language: z.string(),
    mode: z.enum(answerModes).nullable().describe('Null for a question.'),
    found: z
      .boolean()
      .nullable()
      .describe(
        'Whether the knowledge held it; null for a question, and for what is said to small talk.',
      ),
    can_request: z
      .boolean()
      .describe('Whether to offer that its question be filed as a request, as with the reply.'),
    sources: z.array(sourceReply),
    unsupported: unsupportedReply,
    question_id: z.number().nullable().describe('The message that it answers.'),
    withheld: withheldReply,
    feedback: feedbackReply.nullable().describe('What the asker thinks of it; null: nothing yet.'),
    answering: z
      .boolean()
      .describe('A question that is being answered right now: its events tell how far.'),
    interrupted: z
      .boolean()
      .describe('A question that nothing answers any more: offer to ask it again.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'Message' });

export function presentMessage(item: ListedMessage): z.output<typeof messageItem> {
  const { id, role, content, status, language, mode, found, sources, unsupported, createdAt } =
    item;
  return {
    id,
    role,
    content,
    status,
    language,
    mode,
    found,
    can_request: mayBeRequested(found, content),
    sources: sources.map(presentSource),
    unsupported,
    question_id: item.questionId,
    withheld: item.withheld,
    feedback: item.feedback === null ? null : presentFeedback(item.feedback),
    answering: item.answering,
    interrupted: item.interrupted,
    created_at: createdAt,
  };
}
