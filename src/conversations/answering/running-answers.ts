import { phrasesIn } from '../../answers/answer.js';
import { type Actor, nameOf } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { ConcurrencyLimit } from '../../platform/concurrency-limit.js';
import { AppError, messageOf, tooMany } from '../../platform/errors.js';
import { createEventLog, type Logged } from '../../platform/event-log.js';
import type { Message } from '../store/conversation.js';
import { claimMs, renewClaim } from '../store/running-answers.repository.js';
import {
  type AnswerEvent,
  beginAnswer,
  finishAnswer,
  holdBack,
  type MessageResult,
} from './make-answer.js';
import { type MessageInput, prepareQuestion } from './prepare-question.js';
import { storeQuestion } from './store-question.js';

/** An answer that is being made in this process, or was a moment ago. */
export interface RunningAnswer {
  conversationId: string;
  questionId: number;
  /** Who asked (nameOf): what others may be told is looked at once it is stored. */
  askedBy: string;
  /** Rejects where there is nothing to keep; an answer that broke off is a result, marked incomplete. */
  result: Promise<MessageResult>;
  /** Its events behind the number `after`, those to come too. End a reader by its `return()`. */
  events(after?: number): AsyncIterableIterator<Logged<AnswerEvent>, undefined>;
  /** Ends it now, in the model's server too. What was said by then is kept, marked incomplete. */
  cancel(): void;
}

interface Kept extends RunningAnswer {
  ended(): boolean;
  /** Somebody has asked after it: a reader who lost the connection gets the whole time again to come back. */
  touch(): void;
}

/** How long the events of an answer can still be read once it has ended. */
const keptMs = 60_000;

declare module '../../platform/app.js' {
  interface App {
    /** The answers of this process, by the number of their question. */
    runningAnswers: Map<number, Kept>;
    /** How many of them each asker waits for. */
    answersUnderWay: ConcurrencyLimit;
  }
}

/**
 * Starts to answer a message (see `begin`). Refuses with `rate_limited`, before anything is looked for, who waits for as
 * many answers as limits.answers_at_once allows. The operator may wait for any number.
 */
export async function startAnswer(
  app: App,
  actor: Actor,
  input: MessageInput,
): Promise<RunningAnswer> {
  const asker = nameOf(actor);
  if (actor.kind === 'operator') return begin(app, actor, input);
  if (!app.answersUnderWay.take(asker)) {
    throw tooMany(
      `answers at once: ${app.config.limits.answers_at_once} of one person are allowed`,
    );
  }
  const leave = () => app.answersUnderWay.leave(asker);
  try {
    const running = await begin(app, actor, input);
    running.result.then(leave, leave);
    return running;
  } catch (error) {
    leave();
    throw error;
  }
}

/**
 * Starts to answer a message; resolves once the question is stored (refuses as prepareQuestion does). The answer goes
 * on without its readers: when the last of them has left, it has answers.resume_window_ms to be asked after, and is
 * cancelled then.
 */
async function begin(app: App, actor: Actor, input: MessageInput): Promise<RunningAnswer> {
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
    else clearTimeout(alone);
  });
  const { signal } = input;
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted === true) cancel();

  // The model is asked while the question is stored: what it says by then is kept back until it is.
  const said = holdBack((event: AnswerEvent) => log.append(event));
  const begun = beginAnswer(app, prepared, {
    signal: cancelling.signal,
    streamed: input.streamed !== false,
    tell: said.pass,
  });
  const asked = await storeQuestion(app, prepared).catch((error: unknown) => {
    signal?.removeEventListener('abort', cancel);
    cancelling.abort(error);
    throw error;
  });
  const { questionId } = asked;
  const { id: conversationId } = asked.conversation;
  const endClaim = input.channel === 'cli' ? keepClaim(app, questionId) : undefined;

  log.append({ type: 'started', conversationId, questionId });
  said.release();
  const touch = () => {
    if (alone !== undefined) waitAlone();
  };
  const result = finishAnswer(app, asked, begun, said.pass).finally(() => {
    ended = true;
    endClaim?.();
    clearTimeout(alone);
    signal?.removeEventListener('abort', cancel);
    log.end();
    setTimeout(() => registry.delete(questionId), keptMs).unref();
  });
  // Readers of the events alone are told there.
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

/** Says again and again to the server that this command makes the answer, until it is told to end. */
function keepClaim(app: App, questionId: number): () => void {
  const renew = () => {
    renewClaim(app, questionId).catch((error: unknown) => {
      app.log.warn({ reason: messageOf(error) }, 'the claim on an answer could not be renewed');
    });
  };
  const timer = setInterval(renew, claimMs / 3);
  return () => clearInterval(timer);
}

/** The answer to a question, while it is made in this process and for a minute after. */
export function findRunningAnswer(app: App, questionId: number): RunningAnswer | undefined {
  return app.runningAnswers.get(questionId);
}

/** Whether a question is being answered in this process. */
export function isAnswering(app: App, questionId: number): boolean {
  return app.runningAnswers.get(questionId)?.ended() === false;
}

/** A reader of a conversation waits for the answers that are being made in it. */
export function noteReader(app: App, conversationId: string): void {
  for (const running of app.runningAnswers.values()) {
    if (running.conversationId === conversationId) running.touch();
  }
}

/**
 * Waits until all answers of this process have ended, those too that begin meanwhile; what has not ended by the
 * timeout is cancelled.
 */
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

/** Of an answer that was ended before anything was said. */
export function cancelled(): AppError {
  const sentence = 'The answer was cancelled before anything was said. Ask again.';
  return new AppError('cancelled', sentence);
}

/** The sentence that tells a waiting asker that no answer will come, in the question's language. */
export function interrupted({ language }: Pick<Message, 'language'>): AppError {
  return new AppError('interrupted', phrasesIn(language).brokeOff);
}
