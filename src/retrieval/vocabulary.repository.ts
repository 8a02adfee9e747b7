import type { App } from '../platform/app.js';
import { reverse, type VocabularyTerm } from '../platform/text/vocabulary.js';

type Store = Pick<App, 'db'>;

/** Rows per insert: four values each, below the parameters that every SQLite build allows. */
const rowsPerInsert = 200;

/** Adds the terms that an organization has new. Terms that no passage holds any more stay: they count nothing. */
export async function addToVocabulary(
  app: Store,
  organizationId: number,
  words: VocabularyTerm[],
): Promise<void> {
  for (let start = 0; start < words.length; start += rowsPerInsert) {
    const slice = words.slice(start, start + rowsPerInsert);
    const rows = slice.map((word) => ({ organization_id: organizationId, ...word }));
    await app.db.write('vocabulary').insert(rows).onConflict(['organization_id', 'term']).ignore();
  }
}

/** What terms are looked for: their letters at one end, and how many letters they may have. */
export interface WordPattern {
  end: 'beginning' | 'ending';
  letters: string;
  least: number;
  most: number;
  /** Words read at most, the shortest. */
  limit: number;
  /** Whether numbers, names such as foo_bar and short words are looked for too. */
  anyTerm?: boolean;
}

/** For each pattern the words of the organization that fit, in one question to the database. */
export async function findWords(
  app: Store,
  organizationId: number,
  patterns: readonly WordPattern[],
): Promise<string[][]> {
  const found: string[][] = patterns.map(() => []);
  if (patterns.length === 0) return found;
  const each = patterns.map(({ end, letters, least, most, limit, anyTerm }, index) => {
    const [column, edge] =
      end === 'beginning'
        ? (['term', letters] as const)
        : (['reversed', reverse(letters)] as const);
    // Up to what is beyond every word that begins so, as an index can tell.
    // Terms hold no blanks. One row for each pattern takes half the time of one for each word.
    const sql = `select ? as pattern, group_concat(term, ' ') as terms from (select term from vocabulary
      where organization_id = ? and ${column} >= ? and ${column} < ? and length(term) between ? and ?
      ${anyTerm === true ? '' : 'and is_word'} order by length(term) limit ?)`;
    return { sql, values: [index, organizationId, edge, `${edge}\u{10ffff}`, least, most, limit] };
  });
  const rows = await app.db.read.raw<{ pattern: number; terms: string | null }[]>(
    each.map(({ sql }) => sql).join(' union all '),
    each.flatMap(({ values }) => values),
  );
  for (const { pattern, terms } of rows) found[pattern] = terms?.split(' ') ?? [];
  return found;
}
