import type { ReadableAnswer } from '../conversations/answering/find-answer.js';
import { presentStep } from '../conversations/answering/present-reply.js';
import type { AnswerEvent } from '../conversations/answering/make-answer.js';
import { AppError, internalError, isRefusal, tooMany } from '../platform/errors.js';
import type { AnswerFrame, ErrorFrame, ServerFrame } from '../chat/protocol.js';

/** Answers that one connection may wait for at a time. */
export const messagesAtOnce = 4;

/** The answers that one connection waits for, by the ids that its client has chosen. */
export interface SocketAnswers {
  /** Takes the place of an answer. Refuses with `conflict` an id that is in use, with `rate_limited` one too many. */
  reserve(id: string): void;
  /** Gives a place back that no answer came for. */
  release(id: string): void;
  /** Passes on the steps of an answer behind the number `after`, as fast as the client reads them. */
  pump(id: string, answer: ReadableAnswer, after: number): void;
  /** Of one that has just ended there is nothing to cancel: that is no mistake of the client. */
  cancel(id: string): void;
  /** Reads no more of those there are; resolves once nothing of them is on its way. */
  leave(): Promise<void>;
  /** The connection is over: reads no more of any, nor of those to come. */
  end(): void;
  /** Resolves once those there are have been sent. */
  sent(): Promise<void>;
}

export function createSocketAnswers(send: (frame: ServerFrame) => Promise<void>): SocketAnswers {
  const places = new Map<string, AsyncIterator<unknown> | undefined>();
  const running = new Map<string, ReadableAnswer>();
  const pumps = new Set<Promise<void>>();
  let isOver = false;

  const stop = () => {
    for (const events of places.values()) void events?.return?.();
  };
  const sent = async () => {
    await Promise.allSettled(pumps);
  };

  return {
    reserve(id) {
      if (places.has(id)) throw new AppError('conflict', `There is an answer ${id} under way.`);
      if (places.size >= messagesAtOnce) {
        throw tooMany(`answers at once: ${messagesAtOnce} on one connection are allowed`);
      }
      places.set(id, undefined);
    },
    release(id) {
      if (places.get(id) === undefined) places.delete(id);
    },
    pump(id, answer, after) {
      const events = answer.events(after);
      if (isOver) {
        // Nobody is there to read it any more: it is told so, and waits no longer than for any reader that was lost.
        void events.return?.();
        return;
      }
      places.set(id, events);
      running.set(id, answer);
      const work = (async () => {
        for await (const { id: number, event } of events) await send(frameOf(id, number, event));
      })().finally(() => {
        places.delete(id);
        running.delete(id);
        pumps.delete(work);
      });
      pumps.add(work);
    },
    cancel: (id) => running.get(id)?.cancel(),
    leave() {
      stop();
      return sent();
    },
    end() {
      isOver = true;
      stop();
    },
    sent,
  };
}

/** A step of an answer as the client is told of it. */
function frameOf(id: string, event: number, step: AnswerEvent): AnswerFrame | ErrorFrame {
  const told = presentStep(step);
  return told.type === 'error' ? { id, ...told } : { id, event, ...told };
}

/** A refusal as the client is told of it. What is no AppError is a bug: no word of it leaves the server. */
export function errorFrame(error: unknown, id: string | undefined): ErrorFrame {
  const named = id === undefined ? {} : { id };
  const { code, message, problems, retryAfterSeconds } = isRefusal(error) ? error : internalError();
  return {
    ...{ type: 'error', ...named, code, message },
    ...(problems === undefined ? {} : { errors: problems }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
  };
}
