import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import type { Channel } from '../usage/payer.js';
import { maskIfWanted } from './store/mask-if-wanted.js';
import type { Feedback, Rating } from './store/conversation.js';
import { deleteFeedback, findFeedbackOn, storeFeedback } from './store/feedback.repository.js';
import { getOwnMessage, type MessageOfConversation } from './store/own-message.js';

export type RatedAnswer = MessageOfConversation;

/**
 * Stores the actor's rating of an answer, replacing an earlier one; the same rating again changes nothing. Errors:
 * `not_found` for a message outside the actor's own conversations (staff may read others' but not rate in their name);
 * `unprocessable` for a question. For end users and visitors, `over` must be the widget.
 */
export async function rateMessage(
  app: App,
  actor: Actor,
  input: RatedAnswer & { rating: Rating; comment?: string | undefined },
  over?: Channel,
): Promise<Feedback> {
  const comment = maskIfWanted(app, input.comment ?? '').trim() || null;
  return inTransaction(app, async (app) => {
    const id = await ownAnswer(app, actor, input, over);
    const present = (await findFeedbackOn(app, [id])).get(id);
    if (present?.rating === input.rating && present.comment === comment) return present;
    await storeFeedback(app, id, { rating: input.rating, comment });
    const stored = (await findFeedbackOn(app, [id])).get(id);
    if (stored === undefined) throw new Error('the feedback that was stored is not there');
    return stored;
  });
}

/** Removes the rating of an answer, if any. Errors: those of rateMessage. */
export async function unrateMessage(
  app: App,
  actor: Actor,
  input: RatedAnswer,
  over?: Channel,
): Promise<void> {
  await inTransaction(app, async (app) => {
    await deleteFeedback(app, await ownAnswer(app, actor, input, over));
  });
}

async function ownAnswer(
  app: App,
  actor: Actor,
  rated: RatedAnswer,
  over: Channel | undefined,
): Promise<number> {
  const message = await getOwnMessage(app, actor, rated, over);
  if (message.role === 'assistant') return message.id;
  throw new AppError('unprocessable', 'That is a question: rate the answer that follows it.');
}
