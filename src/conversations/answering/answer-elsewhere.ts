import type { LRUCache } from 'lru-cache';
import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../../platform/app.js';
import { nameOf } from '../../platform/actor.js';
import { messageOf } from '../../platform/errors.js';
import type { Logged } from '../../platform/event-log.js';
import type { AskingActor } from '../store/asker.js';
import { claimedAmong } from './claim-answer.js';
import type { Message } from '../store/conversation.js';
import { heedMs } from './heed-others.js';
import { cancelled, interrupted } from '../store/interrupted.js';
import { findReplyTo } from '../store/messages.repository.js';
import { findEvents, noteWatchers, requestCancel } from '../store/running-answers.repository.js';
import type { AnswerEvent, RunningAnswer } from './running-answers.js';
import { resultOf } from './stored-result.js';
import { withholdMessages } from '../store/withhold-messages.js';

declare module '../../platform/app.js' {
  interface App {
    /** The questions whose answers by other processes were lately asked to end here. */
    cancelledElsewhere: LRUCache<number, true>;
  }
}

/** Asks the process that makes an answer to end it; nothing where none does. Its readers here are told so. */
export async function cancelElsewhere(app: App, questionId: number): Promise<void> {
  app.cancelledElsewhere.set(questionId, true);
  await requestCancel(app, questionId);
}

/**
 * An answer that another process is making, which is asked to write down what it says for as long as somebody reads
 * here, and to end it by `cancel`, which everybody who reads it here is told. Its end is read as soon as it is stored, or
 * that process has died; a reader with another credential than the asker's may be told less, and reads the
 * end alone.
 */
export function answerElsewhere(
  app: App,
  reader: AskingActor,
  question: Message,
): Pick<RunningAnswer, 'events' | 'cancel'> {
  return {
    events: (after = 0) => readEvents(app, reader, question, after),
    cancel() {
      cancelElsewhere(app, question.id).catch((error: unknown) => {
        app.log.error({ reason: messageOf(error) }, 'an answer elsewhere could not be cancelled');
      });
    },
  };
}

function readEvents(
  app: App,
  reader: AskingActor,
  question: Message,
  after: number,
): AsyncIterableIterator<Logged<AnswerEvent>, undefined> {
  const left = new AbortController();
  const signal = AbortSignal.any([left.signal, app.stopping]);
  let ready: Logged<AnswerEvent>[] = [];
  let last = after;
  let isOver = false;

  async function look(): Promise<void> {
    await noteWatchers(app, [question.id]);
    const claimed = (await claimedAmong(app, [question.id])).has(question.id);
    // Before its reply is looked for: what is claimed no more has one, or failed.
    const said = claimed ? await findEvents(app, question.id, nameOf(reader)) : [];
    const stored = await findReplyTo(app, question.id);
    const [reply] = stored === undefined ? [] : await withholdMessages(app, reader, [stored]);
    isOver = reply !== undefined || !claimed;
    if (!isOver) {
      const events = said as AnswerEvent[];
      ready = events.map((event, at) => ({ id: at + 1, event })).slice(last);
      return;
    }
    const isCancelled = app.cancelledElsewhere.has(question.id);
    const { code, message } = isCancelled ? cancelled() : interrupted(question);
    const event: AnswerEvent =
      reply === undefined
        ? { type: 'error', code, message }
        : { type: 'done', result: resultOf(reply) };
    ready = [{ id: last + 1, event }];
  }

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      while (!signal.aborted && (!isOver || ready.length > 0)) {
        const value = ready.shift();
        if (value !== undefined) {
          last = value.id;
          return { done: false, value };
        }
        await look();
        if (ready.length === 0) await wait(heedMs, undefined, { signal }).catch(() => undefined);
      }
      return { done: true, value: undefined };
    },
    return() {
      left.abort();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}
