import { tellLanguage } from '../language/detect-language.js';
import type { Language } from '../language/language-pack.js';
import type { FoundPassage } from '../search/search-passages.js';
import type { AskedPage, Turn } from './question-context.js';

/** The context of a message. It may show the language when the message does not. */
export interface Surroundings {
  history: readonly Turn[];
  page: AskedPage | undefined;
}

/** The language of a message by its words alone; undefined when another language has them too ("access token"). */
function surelyIn(message: string): Language | undefined {
  const told = tellLanguage(message);
  return told.sure ? told.language : undefined;
}

/**
 * The language in which to answer a message. Few words do not identify it: then the language that they resemble counts
 * if the best passage found is also in it. Otherwise the first known of these counts: the conversation's, the page's,
 * the display's, and that passage's language; else English.
 */
export function chooseLanguage(
  message: string,
  { history, page }: Surroundings = { history: [], page: undefined },
  passages: readonly Pick<FoundPassage, 'language'>[] = [],
): Language {
  const told = tellLanguage(message);
  const guess = told.language ?? 'other';
  if (told.sure) return guess;
  const found = passages[0]?.language ?? 'other';
  if (guess === found && guess !== 'other') return guess;
  const spoken = [...said(history), seen(page), page?.language, found].find(
    (language) => language !== undefined && language !== 'other',
  );
  // Two words resemble many languages.
  return spoken ?? 'en';
}

/** The identified languages of the earlier messages, the latest first. */
function said(history: readonly Turn[]): (Language | undefined)[] {
  return history
    .filter(({ role }) => role === 'user')
    .map(({ content }) => surelyIn(content))
    .reverse();
}

function seen(page: AskedPage | undefined): Language | undefined {
  if (page === undefined) return undefined;
  return surelyIn([page.title, page.selectedText ?? '', ...(page.headings ?? [])].join('\n'));
}
