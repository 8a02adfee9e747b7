import type { App } from '../../platform/app.js';
import { messageOf } from '../../platform/errors.js';
import type { AnswerEvent } from './make-answer.js';
import { findWishes, storeEvents } from '../store/running-answers.repository.js';

/** How often it is looked for what other processes ask, in milliseconds. */
export const heedMs = 500;

/** An answer as far as others may have a part in it. */
export interface HeededAnswer {
  questionId: number;
  /** Who asked (nameOf): to others it is told once it is stored. */
  askedBy: string;
  cancel(): void;
  /** Somebody waits for it. */
  touch(): void;
  /** All that has happened to it by now. */
  events(): readonly AnswerEvent[];
}

/**
 * Lets clients that have come to another server have their part in an answer of this one: ends it where one of them asks
 * for that, and while one of them waits, goes on and writes down what is said, as nothing is otherwise. Returns
 * what ends it.
 */
export function heedOthers(app: App, answer: HeededAnswer): () => void {
  const { questionId, askedBy } = answer;
  let written = 0;
  let isOver = false;
  let timer: NodeJS.Timeout;

  async function heed(): Promise<void> {
    const wishes = await findWishes(app, questionId);
    if (isOver || wishes === undefined) return;
    if (wishes.cancel) answer.cancel();
    if (!wishes.watched) return;
    answer.touch();
    // Its end is told by the answer that is stored.
    const said = answer.events().filter(({ type }) => type !== 'done' && type !== 'error');
    if (said.length === written) return;
    await storeEvents(app, questionId, askedBy, JSON.stringify(said));
    written = said.length;
  }

  function later(): void {
    timer = setTimeout(() => {
      heed()
        .catch((error: unknown) => {
          // Its end may have been that of the whole process.
          if (isOver) return;
          app.log.warn({ reason: messageOf(error) }, 'other servers could not be heeded');
        })
        .finally(() => {
          if (!isOver) later();
        });
    }, heedMs);
  }

  later();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
