import { may } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import {
  AppError,
  codeOf,
  internalError,
  messageOf,
  type ErrorCode,
} from '../../platform/errors.js';
import { type Answer, type AnsweringEvent, phrasesIn, type Waiting } from '../../answers/answer.js';
import { answerQuestion } from '../../answers/answer-question.js';
import { chooseLanguage } from '../../answers/choose-language.js';
import type { AnswerTimes } from '../store/conversation.js';
import { deleteClaim, isClaimed } from '../store/running-answers.repository.js';
import type { PreparedQuestion } from './prepare-question.js';
import type { StoredQuestion } from './store-question.js';
import { storeCost, storeReply } from './store-reply.js';

export interface MessageResult {
  conversationId: string;
  messageId: number;
  answer: Answer;
  /** True for an answer whose text and sources its reader may not see (withholdMessages). */
  withheld?: boolean;
}

/** The events of an answer, in order. The deltas of a complete answer join to its stored text. */
export type AnswerEvent =
  | { type: 'started'; conversationId: string; questionId: number }
  | Waiting
  | { type: 'delta'; text: string }
  | { type: 'done'; result: MessageResult }
  /** `result`: the partial answer that was stored, marked as incomplete. */
  | { type: 'error'; code: ErrorCode; message: string; result?: MessageResult };

/** Holds events back until released, then passes them on in order. */
export function holdBack<T>(to: (event: T) => void): {
  pass: (event: T) => void;
  release: () => void;
} {
  let held: T[] | undefined = [];
  return {
    pass(event) {
      if (held === undefined) to(event);
      else held.push(event);
    },
    release() {
      const before = held ?? [];
      held = undefined;
      before.forEach(to);
    },
  };
}

export interface BegunAnswer {
  answer: Promise<Answer>;
  /** The units of an answer that ended before it existed. */
  spent: () => number;
}

export function beginAnswer(
  app: App,
  { question }: Pick<PreparedQuestion, 'question'>,
  how: { signal: AbortSignal; streamed: boolean; tell: (event: AnsweringEvent) => void },
): BegunAnswer {
  let spent = 0;
  const { tell, ...rest } = how;
  const answer = answerQuestion(app, {
    ...question,
    ...rest,
    onEvent: tell,
    onSpent: (units) => (spent = units),
  });
  // It may fail before the question is stored; without a stored question nobody needs it.
  answer.catch(() => undefined);
  return { answer, spent: () => spent };
}

/** Stores the finished answer with its times, and emits the final event. */
export async function finishAnswer(
  app: App,
  asked: StoredQuestion,
  begun: BegunAnswer,
  { times, tell }: { times: () => AnswerTimes; tell: (event: AnswerEvent) => void },
): Promise<MessageResult> {
  try {
    const answer = await begun.answer;
    const took = times();
    const { mode, found } = answer;
    if (found !== null) app.counters.answers.add({ mode, found: String(found) });
    answer.unsupported.forEach(() => {
      app.counters.unsupportedSentences.add({ language: answer.language });
    });
    const messageId = await inTransaction(
      app,
      (app) => storeReply(app, asked, answer, took),
      app.db.messages,
    );
    if (messageId === undefined) {
      const sentence = 'The conversation was deleted while its question was answered. Ask again.';
      throw new AppError('not_found', sentence);
    }
    const result = { conversationId: asked.conversation.id, messageId, answer };
    const { failure } = answer;
    if (failure === undefined) tell({ type: 'done', result });
    else {
      const { code, message } = asTold(asked, failure, 'brokeOff');
      tell({ type: 'error', code, message, result });
    }
    return result;
  } catch (thrown) {
    const error = app.db.dialect.troubleOf(thrown) ?? thrown;
    await giveUp(app, asked, begun.spent());
    const code = codeOf(error);
    if (code === 'internal') app.log.error({ err: error }, 'a question could not be answered');
    if (!(error instanceof AppError)) {
      tell({ type: 'error', code, message: internalError().message });
      throw error;
    }
    if (code === 'model_unavailable') {
      app.log.warn(
        { reason: error.message },
        'the model answered nothing, and no other way is set',
      );
    }
    const told = asTold(asked, error, 'noAnswer');
    tell({ type: 'error', code, message: told.message });
    throw told;
  } finally {
    const ended = endClaim(app, asked);
    // Whoever was told the end may ask again at once. A command closes the database next.
    if (asked.channel === 'cli') await ended;
  }
}

/** Reports to the asker why there is no answer, even if this can't be stored. */
async function giveUp(app: App, asked: StoredQuestion, units: number): Promise<void> {
  try {
    if (units > 0) await inTransaction(app, (app) => storeCost(app, asked, units), app.db.messages);
  } catch (error) {
    app.log.error({ err: error }, 'what a cancelled answer has cost could not be stored');
  }
}

/** Only after the answer was stored: without a claim and an answer, readers are told that none will come. */
async function endClaim(app: App, { channel, questionId }: StoredQuestion): Promise<void> {
  if (!isClaimed(app, channel)) return;
  try {
    await deleteClaim(app, questionId);
  } catch (error) {
    // It ends by itself.
    app.log.warn({ reason: messageOf(error) }, 'the claim on an answer could not be deleted');
  }
}

/**
 * An error as the asker may see it. Details of the model server are only for people who operate the product: others
 * can't use them, or should not see them.
 */
function asTold(
  { asker, question }: StoredQuestion,
  failure: AppError,
  phrase: 'brokeOff' | 'noAnswer',
): AppError {
  const isStaff = may(asker.actor, 'knowledge.write');
  if (isStaff || failure.code !== 'model_unavailable') return failure;
  const sentence = phrasesIn(chooseLanguage(question.text, question))[phrase];
  return new AppError(failure.code, sentence, { cause: failure });
}
