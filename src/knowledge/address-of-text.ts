import type { Store } from '../platform/app.js';
import { hasPageWords, pageWordsOf } from '../platform/text/page-words.js';
import { findEarlierText } from './entries.repository.js';
import { addressOfPlace, type Entry } from './entry.js';

/** An entry and its place in the document that it was read from. */
type PlacedEntry = Pick<Entry, 'id' | 'sourceUrl' | 'sourceAnchor' | 'pageFrom'>;

/**
 * The address that opens the document of an entry at a text of it: at its first words that do not stand in an earlier
 * section too. A browser goes to the first place where it finds them.
 */
export async function addressOfText(
  app: Store,
  entry: PlacedEntry,
  markdown: string,
): Promise<string | undefined> {
  const hasWords = entry.sourceUrl !== null && entry.pageFrom === null;
  for (const words of hasWords ? pageWordsOf(markdown) : []) {
    const earlier = await findEarlierText(app, entry.id, words.split(' '));
    if (!earlier.some((text) => hasPageWords(text, words))) return addressOfPlace(entry, words);
  }
  return addressOfPlace(entry);
}
