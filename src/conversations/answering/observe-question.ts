import type { App } from '../../platform/app.js';
import { codeOf } from '../../platform/errors.js';
import type { AnswerTimes } from '../store/conversation.js';
import type { AnswerEvent, MessageResult } from './make-answer.js';
import type { MessageInput } from './prepare-question.js';

/** Observes one question for its times, traces and metrics. It keeps when something happened, and no text. */
export interface QuestionObserver {
  /** Runs the work on the question, so that its parts belong to the question's span. */
  run<T>(work: () => T): T;
  /** Notes an event when readers get it. */
  passed(event: AnswerEvent): void;
  /** The times of an answer that ends now. */
  times(): AnswerTimes;
  ended(result: Promise<MessageResult>): void;
}

export function observeQuestion(
  app: App,
  { channel, streamed = true }: Pick<MessageInput, 'channel' | 'streamed'>,
): QuestionObserver {
  const began = performance.now();
  const span = app.tracing.start('question', { facts: { 'assistant.channel': channel } });
  let firstWordMs: number | undefined;
  return {
    run: (work) => span.run(work),
    passed(event) {
      if (event.type !== 'delta' || firstWordMs !== undefined) return;
      firstWordMs = performance.now() - began;
      span.event('first_word');
    },
    times: () => ({
      firstWordMs: firstWordMs === undefined || !streamed ? null : Math.round(firstWordMs),
      totalMs: Math.round(performance.now() - began),
    }),
    ended(result) {
      void result
        .then(
          ({ answer: { mode, found, complete, language, sources, failure } }) => {
            // Small talk and answers that are sent in one piece would only hide how long people wait.
            if (firstWordMs !== undefined && streamed && found !== null) {
              app.counters.firstWords.observe({ mode }, firstWordMs / 1000);
            }
            span.set({
              'assistant.answer.mode': mode,
              'assistant.answer.found': found ?? 'small talk',
              'assistant.answer.complete': complete,
              'assistant.answer.language': language,
              'assistant.answer.sources': sources.length,
            });
            if (failure !== undefined) span.fail(failure.code);
          },
          (error: unknown) => span.fail(codeOf(error)),
        )
        .finally(() => span.end());
    },
  };
}
