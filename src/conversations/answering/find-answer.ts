import { nameOf, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { readNotices } from '../../platform/db/notices.js';
import { messageOf } from '../../platform/errors.js';
import type { Channel } from '../../usage/payer.js';
import { askerOf, type AskingActor } from '../store/asker.js';
import type { Message } from '../store/conversation.js';
import type { AnswerEvent } from './make-answer.js';
import {
  cancelled,
  findRunningAnswer,
  interrupted,
  isAnswering,
  type RunningAnswer,
} from './running-answers.js';
import { listFrames } from '../store/answer-frames.repository.js';
import { findReplyTo } from '../store/messages.repository.js';
import { getOwnMessage, type MessageOfConversation } from '../store/own-message.js';
import { withholdMessages } from '../store/withhold-messages.js';
import { deleteClaim, watchClaim } from '../store/running-answers.repository.js';
import { resultOf } from './present-reply.js';

/** How often an answer of another process is looked for, in milliseconds. */
const pollMs = 300;

/** The part of a running answer that a reader needs. */
export type ReadableAnswer = Pick<RunningAnswer, 'events' | 'cancel'>;

/** An answer that is or was recently running, a stored answer, or both. */
export type FoundAnswer =
  | { running: ReadableAnswer; stored: Message | undefined }
  | { running: undefined; stored: Message };

/**
 * The answer to the actor's own question (or the named answer itself), as the asker may see it now. Errors: `not_found`
 * for a message of others; `interrupted` for a question whose answer failed or whose server ended.
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
  const running = made?.askedBy === nameOf(asker) ? made : undefined;
  if (made !== undefined && isAnswering(app, id)) {
    return { running: running ?? endOf(app, asker, message, made), stored: undefined };
  }
  const stored = await findShown(app, asker, isQuestion ? await findReplyTo(app, id) : message);
  if (running !== undefined && stored?.withheld !== true) return { running, stored };
  if (stored !== undefined) return { running: undefined, stored };
  if (!isQuestion) throw interrupted(message);
  if ((await watchClaim(app, id)) !== undefined) {
    return { running: elsewhere(app, asker, message), stored: undefined };
  }
  // The claim may have ended, after the answer was stored, since the first look.
  const late = await findShown(app, asker, await findReplyTo(app, id));
  if (late === undefined) throw interrupted(message);
  return { running: undefined, stored: late };
}

async function findShown(
  app: App,
  reader: AskingActor,
  reply: Message | undefined,
): Promise<Message | undefined> {
  return reply && (await withholdMessages(app, reader, [reply]))[0];
}

/** For an answer requested with another credential of the same person, which may read more: only the end, as stored. */
function endOf(
  app: App,
  reader: AskingActor,
  question: Message,
  made: RunningAnswer,
): ReadableAnswer {
  return {
    cancel: () => made.cancel(),
    events(after = 0) {
      const steps = made.events();
      return {
        [Symbol.asyncIterator]() {
          return this;
        },
        async next() {
          let step = await steps.next();
          while (step.done !== true && !isEnd(step.value.event)) step = await steps.next();
          if (step.done === true) return step;
          const { event } = step.value;
          const isCancelled = event.type === 'error' && event.code === 'cancelled';
          const end = await endAsStored(app, reader, question, isCancelled);
          return { done: false, value: { id: after + 1, event: end } };
        },
        return: async () => (await steps.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}

/** For an answer that another process makes: its events, which that process stores while somebody reads them here. */
function elsewhere(app: App, reader: AskingActor, question: Message): ReadableAnswer {
  return {
    cancel() {
      cancelElsewhere(app, question.id).catch((error: unknown) => {
        app.log.warn({ reason: messageOf(error) }, 'an answer could not be cancelled');
      });
    },
    events(after = 0) {
      const leaving = new AbortController();
      const steps = follow(leaving.signal, after);
      return {
        [Symbol.asyncIterator]() {
          return this;
        },
        next: () => steps.next(),
        return() {
          // A generator returns only when what it awaits has come.
          leaving.abort();
          return steps.return(undefined);
        },
      };
    },
  };

  async function* follow(left: AbortSignal, after: number) {
    const news = readNotices(app.db.notices, 'answers');
    let last = after;
    try {
      // The claim has a reader now, since it was found.
      app.db.notices.send('claims');
      for (;;) {
        const claim = await watchClaim(app, question.id);
        if (left.aborted) return undefined;
        if (claim === undefined) break;
        const isOwn = claim.asker === nameOf(reader);
        for (const step of isOwn ? await listFrames<AnswerEvent>(app, question.id, last) : []) {
          last = step.id;
          yield step;
        }
        await news.next(pollMs, left);
      }
      yield { id: last + 1, event: await endAsStored(app, reader, question, false) };
      return undefined;
    } finally {
      news.end();
    }
  }
}

/** Has the process that makes an answer end it. */
export async function cancelElsewhere(app: App, questionId: number): Promise<void> {
  await deleteClaim(app, questionId);
  app.db.notices.send('claims');
}

async function endAsStored(
  app: App,
  reader: AskingActor,
  question: Message,
  isCancelled: boolean,
): Promise<AnswerEvent> {
  const stored = await findShown(app, reader, await findReplyTo(app, question.id));
  if (stored !== undefined) return { type: 'done', result: resultOf(stored) };
  const { code, message } = isCancelled ? cancelled() : interrupted(question);
  return { type: 'error', code, message };
}

const isEnd = ({ type }: AnswerEvent) => type === 'done' || type === 'error';
