import { may, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError, codeOf, type ErrorCode } from '../platform/errors.js';
import { createEventLog, type Logged } from '../platform/event-log.js';
import type { Answer, Waiting } from '../answers/answer.js';
import { chooseLanguage } from '../answers/choose-language.js';
import { phrasesIn } from '../answers/phrases.js';
import { answerQuestion } from '../answers/answer-question.js';
import { keepClaim, releaseAnswer } from './claim-answer.js';
import { storeQuestion, type MessageInput, type StoredQuestion } from './store-question.js';
import { storeCost, storeReply } from './store-reply.js';

export interface MessageResult {
  conversationId: string;
  messageId: number;
  answer: Answer;
}

/** What happens to an answer, in order. The deltas of one that is done are its stored text, joined. */
export type AnswerEvent =
  | { type: 'started'; conversationId: string; questionId: number }
  | Waiting
  | { type: 'delta'; text: string }
  | { type: 'done'; result: MessageResult }
  /** `result` where something had been said before: it was kept, and is marked incomplete. */
  | { type: 'error'; code: ErrorCode; message: string; result?: MessageResult };

/** An answer that is being made in this process, or was a moment ago. */
export interface RunningAnswer {
  conversationId: string;
  questionId: number;
  /** Rejects where there is nothing to keep; an answer that broke off is a result, marked incomplete. */
  result: Promise<MessageResult>;
  /** Its events behind the number `after`, those to come too. End a reader by its `return()`. */
  events(after?: number): AsyncIterableIterator<Logged<AnswerEvent>, undefined>;
  /** Ends it now, in the model's server too. What was said by then is kept, marked incomplete. */
  cancel(): void;
}

interface Kept extends RunningAnswer {
  ended(): boolean;
  /** Somebody has asked after it: whoever lost the connection gets the whole time again to come back. */
  touch(): void;
}

/** How long the events of an answer can still be read once it has ended. */
const keptMs = 60_000;
const sentenceOfBugs = 'Something went wrong here. The log of the server has the reason.';

/** By the number of the question. One for each process, whatever copies of the app are handed around in it. */
const registries = new WeakMap<object, Map<number, Kept>>();

function registryOf(app: App): Map<number, Kept> {
  const present = registries.get(app.tallies);
  if (present !== undefined) return present;
  const made = new Map<number, Kept>();
  registries.set(app.tallies, made);
  return made;
}

/**
 * Starts to answer a message; resolves once the question is stored (refuses as storeQuestion does). The answer goes
 * on without its readers: when the last of them has left, it has answers.resume_window_ms to be asked after, and is
 * cancelled then.
 */
export async function startAnswer(
  app: App,
  actor: Actor,
  input: MessageInput,
): Promise<RunningAnswer> {
  const asked = await storeQuestion(app, actor, input);
  const { questionId } = asked;
  const { id: conversationId } = asked.conversation;
  const cancelling = new AbortController();
  const cancel = () => {
    const sentence = 'The answer was cancelled before anything was said. Ask again.';
    cancelling.abort(new AppError('cancelled', sentence));
  };
  const registry = registryOf(app);
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

  const endClaim = keepClaim(app, questionId);

  log.append({ type: 'started', conversationId, questionId });
  const result = answer(app, asked, {
    signal: cancelling.signal,
    streamed: input.streamed !== false,
    tell: (event) => log.append(event),
  }).finally(() => {
    ended = true;
    endClaim();
    clearTimeout(alone);
    signal?.removeEventListener('abort', cancel);
    log.end();
    setTimeout(() => registry.delete(questionId), keptMs).unref();
  });
  // Whoever reads the events alone is told there.
  result.catch(() => undefined);
  const running: Kept = {
    ...{ conversationId, questionId, result, cancel },
    ended: () => ended,
    events: (after) => log.read(after),
    touch: () => {
      if (alone !== undefined) waitAlone();
    },
  };
  registry.set(questionId, running);
  return running;
}

async function answer(
  app: App,
  asked: StoredQuestion,
  how: { signal: AbortSignal; streamed: boolean; tell: (event: AnswerEvent) => void },
): Promise<MessageResult> {
  let spent = 0;
  try {
    const { signal, streamed, tell } = how;
    const answer = await answerQuestion(app, {
      ...asked.question,
      signal,
      streamed,
      onEvent: tell,
      onSpent: (units) => (spent = units),
    });
    app.tallies.answers.add({ mode: answer.mode, found: String(answer.found) });
    answer.unsupported.forEach(() => {
      app.tallies.unsupportedSentences.add({ language: answer.language });
    });
    const messageId = await inTransaction(app, (app) => storeReply(app, asked, answer));
    if (messageId === undefined) {
      const sentence = 'The conversation was deleted while its question was answered. Ask again.';
      throw new AppError('not_found', sentence);
    }
    const result = { conversationId: asked.conversation.id, messageId, answer };
    const { failure } = answer;
    if (failure === undefined) how.tell({ type: 'done', result });
    else {
      const { code, message } = asTold(asked, failure, 'brokeOff');
      how.tell({ type: 'error', code, message, result });
    }
    return result;
  } catch (error) {
    await giveUp(app, asked, spent);
    const code = codeOf(error);
    if (code === 'internal') app.log.error({ err: error }, 'a question could not be answered');
    if (!(error instanceof AppError)) {
      how.tell({ type: 'error', code, message: sentenceOfBugs });
      throw error;
    }
    if (code === 'model_unavailable') {
      app.log.warn(
        { reason: error.message },
        'the model answered nothing, and no other way is set',
      );
    }
    const told = asTold(asked, error, 'noAnswer');
    how.tell({ type: 'error', code, message: told.message });
    throw told;
  }
}

/** Whoever asked is told why there is no answer, whether or not this can be written down. */
async function giveUp(app: App, asked: StoredQuestion, units: number): Promise<void> {
  try {
    await inTransaction(app, async (app) => {
      await releaseAnswer(app, asked.questionId);
      if (units > 0) await storeCost(app, asked, units);
    });
  } catch (error) {
    app.log.error({ err: error }, 'what a cancelled answer has cost could not be stored');
  }
}

/**
 * A failure as the asker may hear of it. Where the model runs and what its server said is for those who look after
 * the product; all others can do nothing with it, or should not.
 */
function asTold(
  { asker, question }: StoredQuestion,
  failure: AppError,
  phrase: 'brokeOff' | 'noAnswer',
): AppError {
  const isStaff = may(asker.actor, 'knowledge.write');
  if (isStaff || failure.code !== 'model_unavailable') return failure;
  const sentence = phrasesIn(chooseLanguage(question.text, question, []))[phrase];
  return new AppError(failure.code, sentence, { cause: failure });
}

/** The answer to a question, while it is made in this process and for a minute after. */
export function findRunningAnswer(app: App, questionId: number): RunningAnswer | undefined {
  return registryOf(app).get(questionId);
}

/** Whether a question is being answered in this process. */
export function isAnswering(app: App, questionId: number): boolean {
  return registryOf(app).get(questionId)?.ended() === false;
}

/** Whoever reads a conversation waits for what is being answered in it. */
export function noteReader(app: App, conversationId: string): void {
  for (const running of registryOf(app).values()) {
    if (running.conversationId === conversationId) running.touch();
  }
}

/**
 * Waits until all answers of this process have ended, those too that begin meanwhile; what has not ended by the
 * timeout is cancelled.
 */
export async function finishAnswers(app: App, timeoutMs: number): Promise<void> {
  const registry = registryOf(app);
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
