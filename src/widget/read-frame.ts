import { z } from 'zod';
import { pageContext } from '../conversations/page-context.js';
import { AppError } from '../platform/errors.js';
import { checkTexts } from '../platform/http/check-texts.js';
import { validate } from '../platform/validate.js';
import type { ClientFrame } from './protocol.js';

/** Characters of a question at most. */
export const messageLength = 8000;

const id = z.string().min(1).max(100);
const credential = z.string().max(4096).optional();

const clientFrame = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('hello'),
    apiKey: credential,
    userToken: credential,
    visitorToken: credential,
  }),
  z.strictObject({
    type: z.literal('message'),
    id,
    message: z.string().min(1).max(messageLength),
    context: pageContext,
    conversationId: id.optional(),
  }),
  z.strictObject({
    type: z.literal('resume'),
    id,
    conversationId: id,
    questionId: z.int().min(1),
    after: z.int().min(0).optional(),
  }),
  z.strictObject({ type: z.literal('cancel'), id }),
  z.strictObject({ type: z.literal('ping') }),
]) satisfies z.ZodType<ClientFrame>;

/** What a client's frame says. Refuses with `invalid_request` what is no JSON and what is not as the protocol has it. */
export function readFrame(text: string): ClientFrame {
  const value = parse(text);
  checkTexts(value);
  return validate(clientFrame, value);
}

/** The id that a frame bears which can't be taken, so that its refusal can name it. */
export function idIn(text: string): string | undefined {
  try {
    const { id: given } = JSON.parse(text) as { id?: unknown };
    return typeof given === 'string' && given.length <= 100 ? given : undefined;
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below, in the words of a client.
  }
  throw new AppError('invalid_request', 'The frame is not valid: expected one JSON object.');
}
