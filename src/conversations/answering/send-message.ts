import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { MessageResult } from './make-answer.js';
import type { MessageInput } from './prepare-question.js';
import { startAnswer } from './running-answers.js';

/**
 * Answers a message with the knowledge that the actor may see at that page, and keeps both in a conversation
 * that is the actor's own. Personal data is masked before anything is stored or sent.
 * Refuses with `not_found` a conversation that is not the actor's, or that was deleted before the answer came;
 * with `quota_exceeded`, keeping nothing, where the payer has used up the month's units; with `cancelled` when its
 * signal aborts.
 */
export async function sendMessage(
  app: App,
  actor: Actor,
  input: MessageInput,
): Promise<MessageResult> {
  const { result } = await startAnswer(app, actor, { ...input, streamed: false });
  return result;
}
