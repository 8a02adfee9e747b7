import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { MessageResult } from './make-answer.js';
import type { MessageInput } from './prepare-question.js';
import { startAnswer } from './running-answers.js';

/**
 * Answers a message with the knowledge that the actor may see at that page, and stores both in a conversation of the
 * actor. Personal data is masked before anything is stored or sent. Refuses with `not_found` a conversation of others,
 * or one deleted before the answer came. Refuses with `quota_exceeded`, storing nothing, when the payer has used up the
 * month's units. Refuses with `cancelled` when its signal aborts.
 */
export async function sendMessage(
  app: App,
  actor: Actor,
  input: MessageInput,
): Promise<MessageResult> {
  const { result } = await startAnswer(app, actor, { ...input, streamed: false });
  return result;
}
