import type { ReadableAnswer } from '../conversations/answering/find-answer.js';
import { presentStep } from '../conversations/answering/present-reply.js';
import type { AnswerEvent } from '../conversations/answering/make-answer.js';
import { AppError, internalError, isRefusal, problemsOf, tooMany } from '../platform/errors.js';
import type { AnswerFrame, ErrorFrame, ServerFrame } from '../chat/protocol.js';

/** The most answers that one connection may wait for at a time. */
export const messagesAtOnce = 4;

/** The answers that one connection waits for, by the client's ids. */
export interface SocketAnswers {
  /** Reserves a place for an answer. Errors: `conflict` for an id in use; `rate_limited` for one too many. */
  reserve(id: string): void;
  /** Releases a place for which no answer came. */
  release(id: string): void;
  /** Sends the steps of an answer after number `after`, at the client's speed. */
  pump(id: string, answer: ReadableAnswer, after: number): void;
  /** A finished answer has nothing to cancel, which is no error of the client. */
  cancel(id: string): void;
  /** Stops sending the present answers. Resolves when no more steps are on their way. */
  leave(): Promise<void>;
  /** The connection has ended: stops sending all answers, including later ones. */
  end(): void;
  /** Resolves when the present answers have been sent. */
  sent(): Promise<void>;
}

/** `fail` is called when the steps of an answer can't be read any more. */
export function createSocketAnswers(
  send: (frame: ServerFrame) => Promise<void>,
  fail: (error: unknown, id: string) => Promise<void>,
): SocketAnswers {
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
        // The reader is gone: the answer then waits only as long as for any lost reader.
        void events.return?.();
        return;
      }
      places.set(id, events);
      running.set(id, answer);
      const work = (async () => {
        try {
          for await (const { id: number, event } of events) await send(frameOf(id, number, event));
        } catch (error) {
          await fail(error, id);
        }
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

/** The client's form of a step. */
function frameOf(id: string, event: number, step: AnswerEvent): AnswerFrame | ErrorFrame {
  const told = presentStep(step);
  return told.type === 'error' ? { id, ...told } : { id, event, ...told };
}

/** The client's form of an error. An error that is not an AppError is a bug and is not described. */
export function errorFrame(error: unknown, id: string | undefined): ErrorFrame {
  const named = id === undefined ? {} : { id };
  const refusal = isRefusal(error) ? error : internalError();
  const { code, message, retryAfterSeconds } = refusal;
  return {
    type: 'error',
    ...named,
    code,
    message,
    ...problemsOf(refusal),
    ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
  };
}
