import { z } from 'zod';
import { answerModes } from '../answers/answer.js';
import { channels } from '../usage/payer.js';
import { presenter } from '../platform/wire-names.js';
import { ratings, type ListedMessage } from './store/conversation.js';
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
    user_id: z.number().nullable().describe('Null: its owner is not a user.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
    updated_at: z.string().describe('When its last message was written.'),
  })
  .meta({ id: 'Conversation' });

export const presentConversation = presenter(conversationReply);

export const citingAnswerReply = z
  .object({
    id: z.number().describe('The number of the answer in its conversation.'),
    conversation_id: z.string(),
    channel: z.enum(channels),
    question_id: z.number().nullable(),
    question: z.string().nullable(),
    language: z.string(),
    found: z.boolean().nullable().describe('Null for a reply to small talk.'),
    status: z.enum(['complete', 'incomplete']),
    mode: z.enum(answerModes).nullable(),
    rating: z.enum(ratings).nullable().describe('Null without one.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'CitingAnswer' });

export const presentCitingAnswer = presenter(citingAnswerReply);

export const feedbackReply = z
  .object({
    rating: z.enum(ratings),
    comment: z.string().nullable(),
    updated_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'Feedback' });

export const presentFeedback = presenter(feedbackReply);

const madeReply = z
  .object({
    first_word_ms: z
      .number()
      .nullable()
      .describe(
        'Milliseconds from the question to the first word; null where it came in one piece.',
      ),
    total_ms: z.number().describe('Milliseconds from the question to the end.'),
    model: z.string().nullable().describe('Null for a quotation.'),
  })
  .describe('How an answer was made: for staff alone, and for answers that were measured.');
const presentMade = presenter(madeReply);

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
        'Whether the knowledge contained it; null for a question, and for a reply to small talk.',
      ),
    can_request: z
      .boolean()
      .describe('Whether to offer that its question be filed as a request, as with the reply.'),
    sources: z.array(sourceReply),
    unsupported: unsupportedReply,
    question_id: z.number().nullable().describe('The message that it answers.'),
    withheld: withheldReply,
    feedback: feedbackReply.nullable().describe('The asker’s rating; null without one.'),
    answering: z
      .boolean()
      .describe('A question that is being answered now: its events show the progress.'),
    interrupted: z
      .boolean()
      .describe('A question that nothing answers any more: offer to ask it again.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
    made: madeReply.optional(),
  })
  .meta({ id: 'Message' });

const present = presenter(messageItem);

export function presentMessage(item: ListedMessage): z.output<typeof messageItem> {
  return present({
    ...item,
    canRequest: mayBeRequested(item.found, item.content),
    sources: item.sources.map(presentSource),
    feedback: item.feedback === null ? null : presentFeedback(item.feedback),
    made: item.made === undefined ? undefined : presentMade(item.made),
  });
}
