import { z } from 'zod';
import { answerModes, leavesOpen, type Source } from '../../answers/answer.js';
import type { Message } from '../store/conversation.js';
import type { AnswerEvent, MessageResult } from './make-answer.js';

/** A source in wire format. */
export const sourceReply = z
  .object({
    type: z.literal('knowledge'),
    number: z.number().describe('As the answer cites it: [1].'),
    id: z.string().describe('The uuid of the entry.'),
    title: z.string(),
    url_pattern: z.string().describe('/* for an entry without a pattern of its own.'),
    excerpt: z.string().describe('The words of the entry that bear the answer out.'),
    pages: z
      .object({ from: z.number(), to: z.number() })
      .optional()
      .describe('Of the PDF that the entry came from.'),
    changed: z
      .literal(true)
      .optional()
      .describe('The entry says something else now: the answer quotes an earlier text of it.'),
    document: z
      .string()
      .optional()
      .describe('The name of the file that the entry came from, where it came from one.'),
    url: z
      .string()
      .optional()
      .describe('The address of the very place in the page that the entry came from.'),
    anchor: z
      .string()
      .optional()
      .describe('The place in a document without pages: the id of its heading, or paragraph-12.'),
  })
  .meta({ id: 'Source' });

export function presentSource(cited: Source): z.output<typeof sourceReply> {
  const { number, entryUuid: id, title, urlPattern, excerpt, pageFrom, pageTo, document } = cited;
  const pages = pageFrom === null ? {} : { pages: { from: pageFrom, to: pageTo ?? pageFrom } };
  // The wire format has a string here: an entry without a pattern matches every path.
  return {
    type: 'knowledge',
    number,
    id,
    title,
    url_pattern: urlPattern ?? '/*',
    excerpt,
    ...pages,
    ...(cited.changed === true && { changed: true as const }),
    ...(document ? { document } : {}),
    ...(cited.url === undefined ? {} : { url: cited.url }),
    ...(cited.anchor === undefined ? {} : { anchor: cited.anchor }),
  };
}

/** Ranges of an answer's text. */
export const unsupportedReply = z
  .array(z.object({ from: z.number(), to: z.number() }))
  .describe(
    'The sentences that no cited source bears out, in UTF-16 units from the beginning of the text; `to` is not included.',
  );

export const withheldReply = z
  .boolean()
  .describe(
    'An old answer from knowledge that was taken back or that the reader may no longer see: its text says so, and no source is named.',
  );

/** The reply to a message, over the API and by `assistant ask --json`. */
export const messageReply = z.object({
  response: z.string().describe('The answer, with [n] where it cites a source.'),
  conversationId: z.string().describe('To be sent with the next question of the conversation.'),
  messageId: z.number(),
  sources: z.array(sourceReply).describe('The entries that are cited, and no others.'),
  found: z
    .boolean()
    .nullable()
    .describe(
      'Whether the knowledge has an answer. Null: small talk, neither answered nor refused.',
    ),
  canRequest: z
    .boolean()
    .describe(
      'Whether to offer that the question be filed as a request: nothing was found, or nothing for a part of it.',
    ),
  status: z
    .enum(['complete', 'incomplete'])
    .describe('incomplete: the model broke off, or was cancelled.'),
  unsupported: unsupportedReply,
  withheld: withheldReply,
  suggestions: z
    .array(z.string())
    .optional()
    .describe(
      'With small talk alone: questions that may be asked on the page. They are not stored.',
    ),
  mode: z.enum(answerModes).describe('extractive quotes the knowledge word for word.'),
  language: z.string().describe('Of the answer: en, es, de or other.'),
});

/** True when the asker is offered to ask a person. */
export function mayBeRequested(found: boolean | null, text: string): boolean {
  return found === false || (found === true && leavesOpen(text));
}

export function presentReply(result: MessageResult): z.output<typeof messageReply> {
  const { answer, conversationId, messageId, withheld = false } = result;
  return {
    response: answer.text,
    conversationId,
    messageId,
    sources: answer.sources.map(presentSource),
    found: answer.found,
    canRequest: mayBeRequested(answer.found, answer.text),
    suggestions: answer.suggestions,
    unsupported: answer.unsupported,
    withheld,
    status: answer.complete ? 'complete' : 'incomplete',
    mode: answer.mode,
    language: answer.language,
  };
}

/** An event of an answer in the form for clients, over any connection. */
export function presentStep(step: AnswerEvent) {
  switch (step.type) {
    case 'done':
      return { type: 'done' as const, ...presentReply(step.result) };
    case 'error': {
      const { type, code, message, result } = step;
      return { type, code, message, ...(result && { partial: presentReply(result) }) };
    }
    default:
      return step;
  }
}

/** A stored answer in the form of a new one. */
export function resultOf(reply: Message): MessageResult {
  const { id: messageId, conversationId, content: text, status, mode, found } = reply;
  const { language, sources, unsupported } = reply;
  const complete = status === 'complete';
  const how = { mode: mode ?? 'extractive', found, complete, units: 0 };
  const answer = { text, language, sources, unsupported, ...how };
  return { conversationId, messageId, answer, withheld: reply.withheld };
}

/** As presentReply, for an earlier answer as it may be shown now (withholdMessages). */
export function presentStoredReply(message: Message): z.output<typeof messageReply> {
  return presentReply(resultOf(message));
}
