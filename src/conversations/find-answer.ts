import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import type { Channel } from '../usage/payer.js';
import type { Message } from './conversation.js';
import { findReplyTo } from './messages.repository.js';
import { getOwnMessage } from './own-message.js';
import { findRunningAnswer, type RunningAnswer } from './running-answers.js';

/**
 * The answer to a question of one's own: as it is being made, or was a moment ago, else as it was stored. Refuses with
 * `not_found` a question that is not one's own, and one that nothing was kept of: its server ended before.
 */
export async function findAnswer(
  app: App,
  actor: Actor,
  { conversationId, questionId }: { conversationId: string; questionId: number },
  over?: Channel,
): Promise<{ running: RunningAnswer } | { stored: Message }> {
  const own = { conversationId, messageId: questionId };
  const question = await getOwnMessage(app, actor, own, over);
  const running = findRunningAnswer(app, question.id);
  if (running !== undefined) return { running };
  const stored = await findReplyTo(app, question.id);
  if (stored !== undefined) return { stored };
  throw new AppError('not_found', 'There is no answer to this question: ask it again.');
}
