import type { App } from '../platform/app.js';
import { reverse, type VocabularyWord } from '../platform/text/vocabulary.js';

type Store = Pick<App, 'db'>;

/** Rows per insert: two values each, below the parameters that every SQLite build allows. */
const rowsPerInsert = 400;

/** Adds the words that are new. Words that no passage holds any more stay: they count nothing. */
export async function addToVocabulary(app: Store, words: VocabularyWord[]): Promise<void> {
  for (let start = 0; start < words.length; start += rowsPerInsert) {
    const rows = words.slice(start, start + rowsPerInsert);
    await app.db.write('vocabulary').insert(rows).onConflict('term').ignore();
  }
}

/** Words read of those that begin (or end) alike, before the shortest are taken. */
const mostRead = 300;

/** Words that begin or end with a part and are longer by 3 letters at least: the shortest of them. */
export async function findCompounds(app: Store, part: string, limit: number): Promise<string[]> {
  const longer = { least: part.length + 3, most: 40 };
  const found = await Promise.all([
    wordsBy(app, 'term', part, longer),
    wordsBy(app, 'reversed', reverse(part), longer),
  ]);
  return found
    .flat()
    .sort((a, b) => a.length - b.length)
    .slice(0, limit);
}

/** Words of about the same length that begin or end with the same letters: a slip is seldom at both ends. */
export async function findNeighbours(app: Store, word: string): Promise<string[]> {
  const edge = word.length < 8 ? 3 : 4;
  const length = { least: word.length - 2, most: word.length + 2 };
  const found = await Promise.all([
    wordsBy(app, 'term', word.slice(0, edge), length),
    wordsBy(app, 'reversed', reverse(word).slice(0, edge), length),
  ]);
  return [...new Set(found.flat())];
}

async function wordsBy(
  app: Store,
  column: 'term' | 'reversed',
  beginning: string,
  length: { least: number; most: number },
): Promise<string[]> {
  return (
    app.db
      .read('vocabulary')
      .where(column, '>=', beginning)
      // Beyond every word that begins so, as an index can tell.
      .andWhere(column, '<', `${beginning}\u{10ffff}`)
      .whereRaw('length(term) between ? and ?', [length.least, length.most])
      .limit(mostRead)
      .pluck<string[]>('term')
  );
}
