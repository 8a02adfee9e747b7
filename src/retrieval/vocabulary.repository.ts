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

/** What words are looked for: their letters at one end, and how many letters they may have. */
export interface WordPattern {
  end: 'beginning' | 'ending';
  letters: string;
  least: number;
  most: number;
}

/** Words read of those that begin or end alike. */
const mostPerPattern = 300;

/** For each pattern the words that fit, in one question to the database. */
export async function findWords(app: Store, patterns: readonly WordPattern[]): Promise<string[][]> {
  const found: string[][] = patterns.map(() => []);
  if (patterns.length === 0) return found;
  const each = patterns.map(({ end, letters, least, most }, index) => {
    const [column, edge] =
      end === 'beginning'
        ? (['term', letters] as const)
        : (['reversed', reverse(letters)] as const);
    // Up to what is beyond every word that begins so, as an index can tell.
    // Words hold letters alone. One row for each pattern takes half the time of one for each word.
    const sql = `select ? as pattern, group_concat(term, ' ') as terms from (select term from vocabulary
      where ${column} >= ? and ${column} < ? and length(term) between ? and ? limit ?)`;
    return { sql, values: [index, edge, `${edge}\u{10ffff}`, least, most, mostPerPattern] };
  });
  const rows = await app.db.read.raw<{ pattern: number; terms: string | null }[]>(
    each.map(({ sql }) => sql).join(' union all '),
    each.flatMap(({ values }) => values),
  );
  for (const { pattern, terms } of rows) found[pattern] = terms?.split(' ') ?? [];
  return found;
}
