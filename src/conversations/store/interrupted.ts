import { phrasesIn } from '../../answers/phrases.js';
import { AppError } from '../../platform/errors.js';
import type { Message } from './conversation.js';

/** Of an answer that was ended before anything was said. */
export function cancelled(): AppError {
  const sentence = 'The answer was cancelled before anything was said. Ask again.';
  return new AppError('cancelled', sentence);
}

/** The sentence that tells a waiting asker that no answer will come, in the question's language. */
export function interrupted({ language }: Pick<Message, 'language'>): AppError {
  return new AppError('interrupted', phrasesIn(language).brokeOff);
}
