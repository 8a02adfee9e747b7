import { phrasesIn } from '../../answers/answer.js';
import { type Actor, nameOf } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { ConcurrencyLimit } from '../../platform/concurrency-limit.js';
import { AppError, tooMany } from '../../platform/errors.js';
import { createEventLog, type Logged } from '../../platform/event-log.js';
import type { Message } from '../store/conversation.js';
import { isClaimed } from '../store/running-answers.repository.js';
import {
  type AnswerEvent,
  beginAnswer,
  finishAnswer,
  holdBack,
  type MessageResult,
} from './make-answer.js';
import { observeQuestion, type QuestionObserver } from './observe-question.js';
import { type MessageInput, prepareQuestion } from './prepare-question.js';
import { shareAnswer } from './share-answer.js';
import { storeQuestion } from './store-question.js';

/** An answer that this process is making, or has finished recently. */
export interface RunningAnswer {
  conversationId: string;
  questionId: number;
  /** The asker (nameOf). What other askers may see is decided from the stored answer. */
  askedBy: string;
  /** Rejects when there is nothing to store. An answer that broke off is a result, marked as incomplete. */
  result: Promise<MessageResult>;
  /** The events after number `after`, including future ones. End a reader by its `return()`. */
  events(after?: number): AsyncIterableIterator<Logged<AnswerEvent>, undefined>;
  /** Ends the answer now, in the model's server too. Its text so far is stored, marked as incomplete. */
  cancel(): void;
}

interface Kept extends RunningAnswer {
  ended(): boolean;
  /** Somebody has asked for it: a reader who lost the connection gets the full time again to return. */
  touch(): void;
}

/** How long the events of a finished answer can still be read. */
const keptMs = 60_000;

declare module '../../platform/app.js' {
  interface App {
    /** The answers of this process by the id of their question. */
    runningAnswers: Map<number, Kept>;
    /** The number of answers that each asker waits for. */
    answersUnderWay: ConcurrencyLimit;
  }
}

/**
 * Starts to answer a message (see `begin`). Errors, before any search: `rate_limited` for an asker who waits for
 * limits.answers_at_once answers. The operator has no limit.
 */
export async function startAnswer(
  app: App,
  actor: Actor,
  input: MessageInput,
): Promise<RunningAnswer> {
  // Nobody else waits for this when the question is refused before. An unhandled rejection would end the process.
  input.admitted?.catch(() => undefined);
  return inTurn(app, actor, () => observe(app, actor, input));
}

/** Starts an answer. Errors: `rate_limited` for an asker who waits for limits.answers_at_once answers already. */
export async function inTurn<T extends { result: Promise<unknown> }>(
  app: App,
  actor: Actor,
  start: () => Promise<T>,
): Promise<T> {
  const asker = nameOf(actor);
  if (actor.kind === 'operator') return start();
  if (!app.answersUnderWay.take(asker)) {
    throw tooMany(
      `answers at once: ${app.config.limits.answers_at_once} of one person are allowed`,
    );
  }
  const leave = () => app.answersUnderWay.leave(asker);
  try {
    const running = await start();
    running.result.then(leave, leave);
    return running;
  } catch (error) {
    leave();
    throw error;
  }
}

function observe(app: App, actor: Actor, input: MessageInput): Promise<RunningAnswer> {
  const observer = observeQuestion(app, input);
  const running = observer.run(() => begin(app, actor, input, observer));
  observer.ended(running.then(({ result }) => result));
  return running;
}

/**
 * Starts to answer a message; resolves once the question is stored (refuses as prepareQuestion does). The answer
 * continues without readers. After the last one has left, it is cancelled unless somebody asks for it within
 * answers.resume_window_ms.
 */
async function begin(
  app: App,
  actor: Actor,
  input: MessageInput,
  observer: QuestionObserver,
): Promise<RunningAnswer> {
  const prepared = await prepareQuestion(app, actor, input);
  const cancelling = new AbortController();
  const cancel = () => cancelling.abort(cancelled());
  const registry = app.runningAnswers;
  let ended = false;
  let alone: NodeJS.Timeout | undefined;
  const waitAlone = () => {
    clearTimeout(alone);
    if (!ended) alone = setTimeout(cancel, app.config.answers.resume_window_ms);
  };
  const log = createEventLog<AnswerEvent>((readers) => {
    if (readers === 0) waitAlone();
    else {
      clearTimeout(alone);
      alone = undefined;
    }
  });
  const { signal } = input;
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted === true) cancel();

  // The model is asked while the question is being stored. Its text is held back until then.
  const said = holdBack((event: AnswerEvent) => {
    observer.passed(event);
    log.append(event);
  });
  const begun = beginAnswer(app, prepared, {
    signal: cancelling.signal,
    streamed: input.streamed !== false,
    tell: said.pass,
  });
  const asked = await storeQuestion(app, prepared).catch(async (error: unknown) => {
    signal?.removeEventListener('abort', cancel);
    cancelling.abort(error);
    // A command closes the database next. A search that still went on would wait a minute for a connection. A client of
    // a server is told at once: a search may wait long for a database that does not answer.
    if (prepared.channel === 'cli') await begun.answer.catch(() => undefined);
    throw error;
  });
  const { questionId } = asked;
  const { id: conversationId } = asked.conversation;
  log.append({ type: 'started', conversationId, questionId });
  said.release();
  const touch = () => {
    if (alone !== undefined) waitAlone();
  };
  const endClaim = isClaimed(app, prepared.channel)
    ? keepClaim(app, questionId, { cancel, read: (after) => log.read(after) })
    : undefined;
  const result = finishAnswer(app, asked, begun, {
    times: () => observer.times(),
    tell: said.pass,
  }).finally(() => {
    ended = true;
    endClaim?.();
    clearTimeout(alone);
    signal?.removeEventListener('abort', cancel);
    log.end();
    setTimeout(() => registry.delete(questionId), keptMs).unref();
  });
  // Readers of the events are told there.
  result.catch(() => undefined);
  const running: Kept = {
    conversationId,
    questionId,
    result,
    cancel,
    touch,
    askedBy: nameOf(actor),
    ended: () => ended,
    events: (after) => log.read(after),
  };
  registry.set(questionId, running);
  return running;
}

/**
 * Repeatedly tells other processes that this one is making the answer, and does what they want, until it is told that
 * the answer has ended.
 */
function keepClaim(
  app: App,
  questionId: number,
  { cancel, read }: { cancel: () => void; read: Parameters<typeof shareAnswer>[2] },
): () => void {
  const shared = shareAnswer(app, questionId, read);
  let isWatched = false;
  const end = app.claims.keep(questionId, (claim) => {
    isWatched = claim?.isWatched === true;
    if (claim === undefined) cancel();
    else if (isWatched) shared.go();
    else shared.rest();
  });
  return () => {
    end();
    shared.rest();
    if (isWatched) app.db.notices.send('answers');
  };
}

/** The answer to a question, while this process makes it and for a minute afterwards. */
export function findRunningAnswer(app: App, questionId: number): RunningAnswer | undefined {
  return app.runningAnswers.get(questionId);
}

export function isAnswering(app: App, questionId: number): boolean {
  return app.runningAnswers.get(questionId)?.ended() === false;
}

/** Counts a reader of a conversation as a reader of its running answers. */
export function noteReader(app: App, conversationId: string): void {
  for (const running of app.runningAnswers.values()) {
    if (running.conversationId === conversationId) running.touch();
  }
}

/** Waits until all answers of this process have ended, including new ones. Cancels the rest at the timeout. */
export async function finishAnswers(app: App, timeoutMs: number): Promise<void> {
  const registry = app.runningAnswers;
  const underWay = () => [...registry.values()].filter((running) => !running.ended());
  const time = { isUp: false };
  const timer = setTimeout(() => {
    time.isUp = true;
    underWay().forEach((running) => running.cancel());
  }, timeoutMs);
  for (let all = underWay(); all.length > 0; all = underWay()) {
    if (time.isUp) all.forEach((running) => running.cancel());
    await Promise.allSettled(all.map((running) => running.result));
  }
  clearTimeout(timer);
}

/** The error of an answer that was cancelled before any text. */
export function cancelled(): AppError {
  const sentence = 'The answer was cancelled before it began. Ask again.';
  return new AppError('cancelled', sentence);
}

/** The sentence, in the question's language, that no answer will come. */
export function interrupted({ language }: Pick<Message, 'language'>): AppError {
  return new AppError('interrupted', phrasesIn(language).brokeOff);
}

/**
 * Answers a message with the knowledge that the actor may see at that page, and stores both in a conversation of the
 * actor. Personal data is masked before anything is stored or sent. Errors: `not_found` for a conversation of others,
 * or one deleted before the answer came; `quota_exceeded` when the payer has used up the month's units, and then
 * nothing is stored; `cancelled` when its signal aborts.
 */
export async function sendMessage(
  app: App,
  actor: Actor,
  input: MessageInput,
): Promise<MessageResult> {
  const { result } = await startAnswer(app, actor, { ...input, streamed: false });
  return result;
}
