import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../platform/app.js';
import type { Logged } from '../platform/event-log.js';
import type { AskingActor } from './asker.js';
import { claimedAmong } from './claim-answer.js';
import type { Message } from './conversation.js';
import { interrupted } from './interrupted.js';
import { findReplyTo } from './messages.repository.js';
import type { AnswerEvent, RunningAnswer } from './running-answers.js';
import { resultOf } from './stored-result.js';
import { withholdFrom } from './withhold-from.js';

/** How often it is looked whether the other process has stored its answer, in milliseconds. */
const lookMs = 500;

/**
 * An answer that another process is making, or that was asked for by another credential of the same person: its end alone can be read, as soon as it is stored or that process has
 * died. It ends by the process that makes it, when nobody there waits for it, and not by `cancel`.
 */
export function answerElsewhere(
  app: App,
  reader: AskingActor,
  question: Message,
): Pick<RunningAnswer, 'events' | 'cancel'> {
  return {
    events: (after = 0) => readEnd(app, reader, question, after),
    cancel: () => undefined,
  };
}

function readEnd(
  app: App,
  reader: AskingActor,
  question: Message,
  after: number,
): AsyncIterableIterator<Logged<AnswerEvent>, undefined> {
  const left = new AbortController();
  const signal = AbortSignal.any([left.signal, app.stopping]);
  let over = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      while (!over && !signal.aborted) {
        const event = await endOf(app, reader, question);
        if (event === undefined) {
          await wait(lookMs, undefined, { signal }).catch(() => undefined);
          continue;
        }
        over = true;
        return { done: false, value: { id: after + 1, event } };
      }
      return { done: true, value: undefined };
    },
    return() {
      left.abort();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}

async function endOf(
  app: App,
  reader: AskingActor,
  question: Message,
): Promise<AnswerEvent | undefined> {
  const claimed = (await claimedAmong(app, [question.id])).has(question.id);
  const stored = await findReplyTo(app, question.id);
  const [reply] = stored === undefined ? [] : await withholdFrom(app, reader, [stored]);
  if (reply !== undefined) return { type: 'done', result: resultOf(reply) };
  if (claimed) return undefined;
  const { code, message } = interrupted(question);
  return { type: 'error', code, message };
}
