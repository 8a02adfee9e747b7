import type { App } from '../../platform/app.js';
import type { Logged } from '../../platform/event-log.js';
import { pause } from '../../platform/retry.js';
import { insertFrames } from '../store/answer-frames.repository.js';
import type { AnswerEvent } from './make-answer.js';

/** The pause between two writes of an answer's events, in milliseconds. */
const apartMs = 100;

export interface SharedAnswer {
  /** Stores the events so far, and those to come, until `rest`. It counts as a reader of the answer meanwhile. */
  go(): void;
  rest(): void;
}

/** Stores the events of an answer for readers at other servers while there are any. */
export function shareAnswer(
  app: App,
  questionId: number,
  read: (after: number) => AsyncIterableIterator<Logged<AnswerEvent>, undefined>,
): SharedAnswer {
  let events: ReturnType<typeof read> | undefined;
  let waiting: Logged<AnswerEvent>[] = [];
  let taken = 0;
  let isWriting = false;

  async function take(from: ReturnType<typeof read>): Promise<void> {
    for await (const logged of from) {
      const { type } = logged.event;
      // The end is read as it was stored, and with it the claim is gone.
      if (type === 'done' || type === 'error') break;
      waiting.push(logged);
      taken = logged.id;
      if (!isWriting) void write();
    }
    if (events === from) events = undefined;
  }

  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0 && events !== undefined) {
      const batch = waiting;
      waiting = [];
      try {
        await insertFrames(app, questionId, batch);
        app.db.notices.send('answers');
      } catch {
        // The next ones must not be read without these.
        waiting = [...batch, ...waiting];
      }
      await pause(apartMs);
    }
    isWriting = false;
  }

  return {
    go() {
      if (events !== undefined) return;
      events = read(taken);
      void take(events);
    },
    rest() {
      void events?.return?.();
      events = undefined;
    },
  };
}
