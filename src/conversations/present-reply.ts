import { z } from 'zod';
import { answerModes, type Source } from '../answers/answer.js';
import type { MessageResult } from './send-message.js';

/** A source as the interface has it. */
export const sourceReply = z.object({
  type: z.literal('knowledge'),
  number: z.number(),
  id: z.string(),
  title: z.string(),
  url_pattern: z.string(),
  excerpt: z.string(),
  pages: z.object({ from: z.number(), to: z.number() }).optional(),
});

export function presentSource(cited: Source): z.output<typeof sourceReply> {
  const { number, entryUuid: id, title, urlPattern, excerpt, pageFrom, pageTo } = cited;
  const pages = pageFrom === null ? {} : { pages: { from: pageFrom, to: pageTo ?? pageFrom } };
  // The interface has a string here: an entry without a pattern of its own belongs to every path.
  return {
    type: 'knowledge',
    number,
    id,
    title,
    url_pattern: urlPattern ?? '/*',
    excerpt,
    ...pages,
  };
}

/** What is answered to a message: over the API, and by `assistant ask --json`. */
export const messageReply = z.object({
  response: z.string(),
  conversationId: z.string(),
  messageId: z.number(),
  sources: z.array(sourceReply),
  found: z.boolean(),
  canRequest: z
    .boolean()
    .describe('Whether to offer that the question be filed as a request: nothing was found.'),
  status: z.enum(['complete', 'incomplete']),
  mode: z.enum(answerModes),
  language: z.string(),
});

export function presentReply(result: MessageResult): z.output<typeof messageReply> {
  const { answer, conversationId, messageId } = result;
  return {
    response: answer.text,
    conversationId,
    messageId,
    sources: answer.sources.map(presentSource),
    found: answer.found,
    canRequest: !answer.found,
    status: answer.complete ? 'complete' : 'incomplete',
    mode: answer.mode,
    language: answer.language,
  };
}
