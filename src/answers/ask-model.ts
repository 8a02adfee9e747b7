import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { readTemplate } from '../platform/package-root.js';
import type { Language } from '../language/language-pack.js';
import { packOf } from '../language/packs.js';
import type { FoundPassage } from '../search/search-passages.js';
import type { AnsweringEvent } from './answer.js';
import { answerTokensIn, buildPrompt, type Window } from './build-prompt.js';
import type { AskedPage, Turn } from './question-context.js';
import { createReplyReader, type Reply } from './read-reply.js';

export interface ModelQuestion {
  text: string;
  language: Language;
  passages: FoundPassage[];
  history: Turn[];
  page: AskedPage | undefined;
  signal?: AbortSignal;
  /** Receives the text as it arrives, with verified citations; undefined when only the whole text is needed. */
  onText: ((text: string) => void) | undefined;
  onEvent?: (event: AnsweringEvent) => void;
  /** Receives the units of a reply that was cancelled before any text: the model has read the prompt anyway. */
  onSpent?: (units: number) => void;
  /** An opaque id of the asker, so that a person with many questions does not delay the others. */
  caller?: string;
}

export interface ModelReply extends Reply {
  /** The passages of the prompt, [1] first. */
  passages: FoundPassage[];
  /** False when the model broke off, reached its maximum length, or was cancelled. */
  complete: boolean;
  /** Why it failed, if it did. */
  failure: AppError | undefined;
  /** Tokens read and written. */
  units: number;
}

/** The room factor for models that think, since thoughts count as part of an answer. Some can't turn them off. */
const roomForThoughts = 4;

/**
 * Asks the chat model with the passages. Errors: `model_unavailable` when it does not answer, and with the signal's
 * reason when that ends the answer before any text was sent. A reply that cites a passage, or has begun to be sent, is
 * returned anyway, marked as incomplete.
 */
export async function askModel(
  app: Pick<App, 'models' | 'config' | 'log'>,
  question: ModelQuestion,
): Promise<ModelReply> {
  const { answer_tokens: answerTokens } = app.config.ollama;
  const window: Window = {
    tokens: await app.models.window(),
    answerTokens: answerTokens * ((await app.models.canThink()) ? roomForThoughts : 1),
    charactersPerToken: app.models.tokens.charactersPerToken(app.config.ollama.chat_model),
  };
  const { messages, passages } = buildPrompt(
    {
      instructions: readTemplate('prompts/answer.txt'),
      question: question.text,
      languageName: packOf(question.language)?.name ?? "the question's language",
      passages: question.passages,
      history: question.history,
      page: question.page,
    },
    window,
  );
  const progress = { sent: false, said: false, length: lengthOf(messages) };
  let waitingFor: 'queue' | 'model' | undefined;
  const reader = createReplyReader(passages.length, (text) => {
    progress.said = true;
    question.onText?.(text);
  });
  const { signal } = question;
  try {
    const answer = await app.models.chat({
      messages,
      maxTokens: answerTokensIn(window),
      temperature: 0.2,
      ...(signal === undefined ? {} : { signal }),
      onText(text) {
        progress.length += text.length;
        reader.push(text);
      },
      onWaiting(forWhat, amount) {
        // A busy server is asked again, which is no news for the reader.
        if (forWhat === 'model' && amount === 0 && waitingFor === 'model') return;
        waitingFor = forWhat;
        if (forWhat === 'model') progress.sent = true;
        const how = forWhat === 'queue' ? { position: amount } : { seconds: amount };
        question.onEvent?.({ type: 'waiting', for: forWhat, ...how });
      },
      ...(question.caller === undefined ? {} : { caller: question.caller }),
    });
    const units = Math.max(1, answer.promptTokens + answer.completionTokens);
    const complete = answer.doneReason !== 'length';
    return { ...reader.end(), passages, complete, failure: undefined, units };
  } catch (error) {
    const cancelled = signal?.aborted === true;
    // The server reports no token counts for a cancelled reply, and cancelling must not be free.
    const units = Math.max(1, Math.ceil(progress.length / window.charactersPerToken));
    const isRead = progress.said && (!cancelled || question.onText !== undefined);
    if (!isRead || !(cancelled || error instanceof AppError)) {
      if (cancelled && progress.sent) question.onSpent?.(units);
      throw error;
    }
    const failure = cancelled || !(error instanceof AppError) ? undefined : error;
    // The person who cancels knows the reason.
    if (failure === undefined) app.log.info('an answer was cancelled in the middle');
    else app.log.warn({ err: failure }, 'the model broke off in the middle of an answer');
    return { ...reader.end(), passages, complete: false, failure, units };
  }
}

function lengthOf(messages: { content: string }[]): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}
