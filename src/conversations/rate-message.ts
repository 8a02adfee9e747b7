import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { askerOf } from './asker.js';
import { maskIfWanted } from './mask-if-wanted.js';
import type { Feedback, Rating } from './conversation.js';
import { findConversation } from './conversations.repository.js';
import { deleteFeedback, findFeedbackOn, storeFeedback } from './feedback.repository.js';
import { findMessage } from './messages.repository.js';

export interface RatedAnswer {
  conversationId: string;
  messageId: number;
}

/**
 * Says what the actor thinks of an answer that it was given, in the place of what it said before; the same again
 * changes nothing. Refuses with `not_found` what is not in a conversation of its own (staff who read it have no
 * opinion in somebody else's name), `unprocessable` a question.
 */
export async function rateMessage(
  app: App,
  actor: Actor,
  input: RatedAnswer & { rating: Rating; comment?: string | undefined },
): Promise<Feedback> {
  const comment = maskIfWanted(app, input.comment ?? '').trim() || null;
  return inTransaction(app, async (app) => {
    const id = await ownAnswer(app, actor, input);
    const present = (await findFeedbackOn(app, [id])).get(id);
    if (present?.rating === input.rating && present.comment === comment) return present;
    await storeFeedback(app, id, { rating: input.rating, comment });
    const stored = (await findFeedbackOn(app, [id])).get(id);
    if (stored === undefined) throw new Error('the feedback that was stored is not there');
    return stored;
  });
}

/** Takes back what was said of an answer, if anything. Refuses as rateMessage does. */
export async function unrateMessage(app: App, actor: Actor, input: RatedAnswer): Promise<void> {
  await inTransaction(app, async (app) => {
    await deleteFeedback(app, await ownAnswer(app, actor, input));
  });
}

async function ownAnswer(
  app: App,
  actor: Actor,
  { conversationId, messageId }: RatedAnswer,
): Promise<number> {
  const { owner } = askerOf(actor);
  const conversation = await findConversation(app, owner, conversationId);
  const message =
    conversation === undefined ? undefined : await findMessage(app, conversation.id, messageId);
  if (message === undefined) {
    throw new AppError(
      'not_found',
      `There is no message ${messageId} in a conversation ${conversationId} of yours.`,
    );
  }
  if (message.role === 'assistant') return message.id;
  throw new AppError('unprocessable', 'That is a question: rate the answer that follows it.');
}
