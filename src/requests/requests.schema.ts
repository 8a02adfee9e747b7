import { z } from 'zod';
import { presenter } from '../platform/wire-names.js';
import type { ShownRequest } from './read-requests.js';
import { requestStatuses } from './request.js';

const requester = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user'), id: z.number(), name: z.string() }),
  z.object({ kind: z.literal('end_user'), id: z.number(), name: z.string().nullable() }),
  z.object({ kind: z.literal('visitor'), id: z.string(), name: z.null() }),
]);

export const requestReply = z
  .object({
    id: z.number(),
    status: z
      .enum(requestStatuses)
      .describe('Ends as resolved, with an answer, or dismissed, without one.'),
    question: z.string(),
    url: z.string().nullable().describe('The page that it is about, if one was named.'),
    app_id: z.number().nullable().describe('The app behind the page; null where none was known.'),
    conversation_id: z.string().nullable().describe('The conversation that left it open.'),
    requester: requester
      .nullable()
      .describe('Null when an operator filed it, or the user is gone.'),
    requester_email: z
      .string()
      .nullable()
      .describe('The address for the answer of an asker without an account. Only staff see it.'),
    response: z
      .string()
      .nullable()
      .describe('The answer. To staff also the draft of one, before the request is resolved.'),
    knowledge_entry_id: z
      .string()
      .nullable()
      .describe('The uuid of the entry that the answer was published as.'),
    resolved_by: z
      .string()
      .nullable()
      .describe('Who resolved it; null before that, and once it is reopened.'),
    created_at: z.string(),
    updated_at: z.string(),
    resolved_at: z.string().nullable().describe('When it was resolved; null as resolved_by.'),
  })
  .meta({ id: 'KnowledgeRequest' });

const present = presenter(requestReply);

export function presentRequest(request: ShownRequest): z.output<typeof requestReply> {
  return present({ ...request, knowledgeEntryId: request.entryUuid });
}
