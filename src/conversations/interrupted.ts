import { phrasesIn } from '../answers/phrases.js';
import { AppError } from '../platform/errors.js';
import type { Message } from './conversation.js';

/** What whoever waits for the answer to a question is told where none will come, in the question's language. */
export function interrupted({ language }: Pick<Message, 'language'>): AppError {
  return new AppError('interrupted', phrasesIn(language).brokeOff);
}
