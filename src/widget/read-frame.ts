import { z } from 'zod';
import { pageContext } from '../conversations/store/page-context.js';
import { checkTexts } from '../platform/http/check-texts.js';
import type { App } from '../platform/app.js';
import { parseJson } from '../platform/http/parse-json.js';
import { validate } from '../platform/validate.js';
import type { ClientFrame } from '../chat/protocol.js';

/** The most characters of a question. */
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

/** A client's frame, or the reason of its refusal; with its id, so that the refusal can name it. */
export type ReadFrame =
  | { id: string | undefined; frame: ClientFrame }
  | { id: string | undefined; frame: undefined; problem: unknown };

/** Refuses as parseJson does, and with `invalid_request` a frame outside the protocol. */
export async function readFrame(
  { queues }: Pick<App, 'queues'>,
  bytes: Buffer,
  sender: string,
): Promise<ReadFrame> {
  let id: string | undefined;
  try {
    const take = (value: object) => {
      id = idOf(value);
      checkTexts(value);
      return validate(clientFrame, value);
    };
    const frame = await parseJson(queues.largeBodies, bytes, { named: 'frame', sender }, take);
    return { id, frame };
  } catch (problem) {
    return { id, frame: undefined, problem };
  }
}

function idOf(value: object): string | undefined {
  const { id: given } = value as { id?: unknown };
  return typeof given === 'string' && given.length <= 100 ? given : undefined;
}
