import type { App } from '../platform/app.js';
import { queryTerms } from '../platform/text/analyze.js';
import type { Passage } from './passages.repository.js';

/** Words of all passages together that are remembered: some 2,500 passages, in some 25 MB. */
const mostWords = 400_000;

interface Remembered {
  /** By the text itself, so that a passage that changes is another: no number can be mistaken for it. */
  sets: Map<string, Set<string>>;
  words: number;
}

const remembered = new WeakMap<App['db'], Remembered>();

/**
 * The words that stand in a passage and its title, in every form under which a question may mean them. The
 * passages that questions find most are remembered: analysing them is most of what a search costs.
 */
export function wordsOf(
  app: Pick<App, 'db'>,
  { title, body }: Pick<Passage, 'title' | 'body'>,
): ReadonlySet<string> {
  const known = remembered.get(app.db) ?? { sets: new Map<string, Set<string>>(), words: 0 };
  remembered.set(app.db, known);
  const text = `${title}\n${body}`;
  const present = known.sets.get(text);
  const words = present ?? new Set(queryTerms(text).flatMap((term) => term.variants));
  // Put at the end again: what comes first was not asked for the longest.
  if (present === undefined) known.words += words.size;
  else known.sets.delete(text);
  known.sets.set(text, words);
  for (const [oldest, { size }] of known.sets) {
    if (known.words <= mostWords) break;
    known.sets.delete(oldest);
    known.words -= size;
  }
  return words;
}
