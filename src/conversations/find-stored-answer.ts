import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import type { Channel } from '../usage/payer.js';
import { findAnswerTo } from './messages.repository.js';
import { getConversation } from './read-conversations.js';
import type { MessageResult } from './running-answers.js';

/**
 * The answer to a question, once it was stored; for whoever lost the connection over it. Refuses with `not_found` a
 * conversation that the actor may not read, and a question that nothing was kept of: its server ended before.
 */
export async function findStoredAnswer(
  app: App,
  actor: Actor,
  asked: { conversationId: string; questionId: number },
  over?: Channel,
): Promise<MessageResult> {
  const { id } = await getConversation(app, actor, asked.conversationId, over);
  const found = await findAnswerTo(app, id, asked.questionId);
  if (found === undefined) {
    throw new AppError('not_found', 'There is no answer to this question: ask it again.');
  }
  const { content: text, status, mode, ...rest } = found;
  const complete = status === 'complete';
  return {
    conversationId: id,
    messageId: found.id,
    answer: {
      ...{ text, complete, units: 0, mode: mode ?? 'extractive' },
      ...{ language: rest.language, found: rest.found ?? false, sources: rest.sources },
      unsupported: [],
    },
  };
}
