import type { App } from '../platform/app.js';
import { ModelError } from '../platform/models/model-error.js';
import { readTemplate } from '../platform/package-root.js';
import type { Language } from '../platform/text/languages.js';
import type { FoundPassage } from '../retrieval/search-passages.js';
import { answerTokens, buildPrompt, type PageContext, type Turn } from './build-prompt.js';

export interface ModelQuestion {
  text: string;
  language: Language;
  passages: FoundPassage[];
  history: Turn[];
  page: PageContext | undefined;
  signal?: AbortSignal;
}

export interface ModelReply {
  text: string;
  /** Those that stood in the prompt, [1] first. */
  passages: FoundPassage[];
  /** False when the model broke off in the middle, or at the length that it may have. */
  complete: boolean;
  /** Tokens read and written. */
  units: number;
}

const languageNames = {
  en: 'English',
  es: 'Spanish',
  de: 'German',
  other: "the question's language",
};

/**
 * Asks the chat model, giving it the passages. Refuses with `model_unavailable` when it does not answer; what had
 * come before it broke off is the reply all the same, marked incomplete.
 */
export async function askModel(app: App, question: ModelQuestion): Promise<ModelReply> {
  const { messages, passages } = buildPrompt(
    {
      instructions: readTemplate('prompts/answer.txt'),
      question: question.text,
      languageName: languageNames[question.language],
      passages: question.passages,
      history: question.history,
      page: question.page,
    },
    app.config.ollama.num_ctx,
  );
  const { signal } = question;
  try {
    const answer = await app.models.chat({
      messages,
      maxTokens: answerTokens,
      temperature: 0.2,
      ...(signal === undefined ? {} : { signal }),
    });
    const units = Math.max(1, answer.promptTokens + answer.completionTokens);
    return { text: answer.text, passages, complete: answer.doneReason !== 'length', units };
  } catch (error) {
    if (!(error instanceof ModelError) || error.partialText === '') throw error;
    app.log.warn({ reason: error.message }, 'the model broke off in the middle of an answer');
    return { text: error.partialText, passages, complete: false, units: 1 };
  }
}
