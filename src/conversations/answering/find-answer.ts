import { nameOf, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { Channel } from '../../usage/payer.js';
import { answerElsewhere } from './answer-elsewhere.js';
import { askerOf } from '../store/asker.js';
import { claimedAmong } from './claim-answer.js';
import type { Message } from '../store/conversation.js';
import { interrupted } from '../store/interrupted.js';
import { findReplyTo } from '../store/messages.repository.js';
import { getOwnMessage, type MessageOfConversation } from '../store/own-message.js';
import { findRunningAnswer, isAnswering, type RunningAnswer } from './running-answers.js';
import { withholdMessages } from '../store/withhold-messages.js';

/** What can be read on of an answer. */
export type ReadableAnswer = Pick<RunningAnswer, 'events' | 'cancel'>;

/** An answer as it is being made, or was a moment ago; as it was stored; or both. */
export type FoundAnswer =
  | { running: ReadableAnswer; stored: Message | undefined }
  | { running: undefined; stored: Message };

/**
 * The answer to a question of one's own (or the answer that is named itself), wherever it is made, as its asker may be
 * shown it now. Refuses with `not_found` what is not one's own, with `interrupted` a question that nothing answers any
 * more: its answer failed, or its server ended before.
 */
export async function findAnswer(
  app: App,
  actor: Actor,
  input: MessageOfConversation,
  over?: Channel,
): Promise<FoundAnswer> {
  const message = await getOwnMessage(app, actor, input, over);
  const asker = askerOf(actor, over).actor;
  const { id } = message;
  const isQuestion = message.role === 'user';
  const made = isQuestion ? findRunningAnswer(app, id) : undefined;
  // To the same person by another credential, which may read less, it is told as it was stored.
  const running = made?.askedBy === nameOf(asker) ? made : undefined;
  if (running !== undefined && isAnswering(app, id)) return { running, stored: undefined };
  // Before its reply is looked for: what is claimed no more has one, or failed.
  const claimed = isQuestion && (await claimedAmong(app, [id])).has(id);
  const reply = isQuestion ? await findReplyTo(app, id) : message;
  const [stored] = reply === undefined ? [] : await withholdMessages(app, asker, [reply]);
  if (running !== undefined && stored?.withheld !== true) return { running, stored };
  if (stored !== undefined) return { running: undefined, stored };
  if (claimed) return { running: answerElsewhere(app, asker, message), stored: undefined };
  throw interrupted(message);
}
