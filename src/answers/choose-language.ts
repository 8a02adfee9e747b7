import { tellLanguage } from '../language/detect-language.js';
import type { Language } from '../language/language-pack.js';
import type { FoundPassage } from '../search/search-passages.js';
import type { AskedPage, Turn } from './question-context.js';

/** What stands around a message, and may tell a language where its own words do not. */
export interface Surroundings {
  history: readonly Turn[];
  page: AskedPage | undefined;
}

/** The language of a message by its words alone; undefined where they might be another's as well ("access token"). */
function surelyIn(message: string): Language | undefined {
  const told = tellLanguage(message);
  return told.sure ? told.language : undefined;
}

/**
 * The language to answer a message in. Few words do not tell it by themselves: then what they look like counts if the
 * best passage found for them is written in it too; else the conversation's, the page's, that of what the answer is
 * shown in and that passage's, in this order; and English where none of them tells.
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
  // Two words look like many languages.
  return spoken ?? 'en';
}

/** The languages of the earlier messages that tell theirs, the last first. */
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
