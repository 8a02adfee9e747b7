import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { Logged } from '../../platform/event-log.js';
import type { ServerEvent } from '../../platform/http/event-stream.js';
import type { Channel } from '../../usage/payer.js';
import type { Message } from '../store/conversation.js';
import { cancelElsewhere, findAnswer } from './find-answer.js';
import { getOwnMessage, type MessageOfConversation } from '../store/own-message.js';
import { presentStep, presentStoredReply } from './present-reply.js';
import type { AnswerEvent } from './make-answer.js';
import { findRunningAnswer } from './running-answers.js';

/**
 * The events of the answer to the actor's own message, for a reader who lost the connection. Gives the events after
 * number `after` while the answer runs and for a minute afterwards. For a stored answer, gives `done` at once. Refuses
 * as findAnswer does.
 */
export async function watchAnswer(
  app: App,
  actor: Actor,
  input: MessageOfConversation & { after: number | undefined },
  over?: Channel,
): Promise<AsyncIterable<ServerEvent>> {
  const found = await findAnswer(app, actor, input, over);
  if (found.running === undefined) return endAs(found.stored);
  const { running, stored } = found;
  if (stored !== undefined && input.after === undefined) return endAs(stored);
  return answerEvents(running.events(input.after));
}

/**
 * Ends the answer to the actor's own message, in the model's server too. Its text so far is stored. A finished answer
 * is not changed. Errors: `not_found` for a message of others.
 */
export async function cancelAnswer(
  app: App,
  actor: Actor,
  input: MessageOfConversation,
  over?: Channel,
): Promise<void> {
  const message = await getOwnMessage(app, actor, input, over);
  const running = findRunningAnswer(app, message.id);
  if (running !== undefined) running.cancel();
  else await cancelElsewhere(app, message.id);
}

/** The events of an answer in the form for clients. Ending them ends their reader. */
export function answerEvents(
  events: AsyncIterableIterator<Logged<AnswerEvent>, undefined>,
): AsyncIterable<ServerEvent> {
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const step = await events.next();
        if (step.done === true) return step;
        const { type: event, ...data } = presentStep(step.value.event);
        return { done: false, value: { id: step.value.id, event, data } };
      },
      async return() {
        await events.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}

function endAs(reply: Message): AsyncIterable<ServerEvent> {
  return once({ event: 'done', data: presentStoredReply(reply) });
}

async function* once(event: ServerEvent): AsyncGenerator<ServerEvent, void, undefined> {
  yield await Promise.resolve(event);
}
