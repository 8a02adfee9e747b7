import type { App } from '../../platform/app.js';
import { reverse, type VocabularyTerm } from '../../language/vocabulary.js';

type Store = Pick<App, 'db'>;

/** Rows per insert: four values each, below the parameters that every SQLite build allows. */
const rowsPerInsert = 200;

/**
 * Adds the terms that an organization has new. Terms that no passage holds any more stay until the index is made anew:
 * what reads them asks the postings which of them the caller's passages hold (`findHeldWords`).
 */
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

/** The index is made anew, and its terms with it. */
export async function deleteVocabularyOf(app: Store, organizationId: number): Promise<void> {
  await app.db.write('vocabulary').where({ organization_id: organizationId }).delete();
}

/** What terms are looked for: their letters at one end, and how many letters they may have. */
export interface WordPattern {
  end: 'beginning' | 'ending';
  letters: string;
  least: number;
  most: number;
  /** The first letter, where it is known. */
  first?: string;
  /** Whether numbers, names such as foo_bar and short words are looked for too. */
  anyTerm?: boolean;
}

/** What is found in an organization's vocabulary. */
export interface FoundWords {
  /** For each pattern the words that fit it, the shortest first. */
  fitting: string[][];
  /** Those of `words` that stand in it. */
  present: string[];
}

/**
 * Words of the organization that fit patterns, at most so many for each, and those of some words that it has, in one
 * question to the database, whose text is the same for all, so that it is prepared once. The words are of all passages,
 * hidden ones too: the caller drops those that the asker's passages don't hold, and reads on where the limit cut.
 */
export async function findWords(
  app: Store,
  organizationId: number,
  patterns: readonly WordPattern[],
  { words = [], limit = -1 }: { words?: readonly string[]; limit?: number } = {},
): Promise<FoundWords> {
  const found: FoundWords = { fitting: patterns.map(() => []), present: [] };
  if (patterns.length === 0 && words.length === 0) return found;
  const asked = patterns.map(({ end, letters, least, most, first, anyTerm = false }) => {
    const edge = end === 'beginning' ? letters : reverse(letters);
    // Up to what is beyond every word that begins so, as an index can tell.
    return [end, edge, `${edge}\u{10ffff}`, least, most, anyTerm ? 0 : 1, first];
  });
  const fitting = (column: string) => `(select group_concat(term, ' ') from (
    select term from vocabulary
    where organization_id = ? and ${column} >= value ->> 1 and ${column} < value ->> 2
      and length(term) between value ->> 3 and value ->> 4 and is_word >= value ->> 5
      and (value ->> 6 is null or substr(term, 1, 1) = value ->> 6)
    order by length(term), term limit ?))`;
  // Terms hold no blanks. One row for each pattern takes half the time of one for each word.
  const rows = await app.db.read.raw<{ pattern: number | null; terms: string | null }[]>(
    `select key as pattern, case value ->> 0
       when 'beginning' then ${fitting('term')} else ${fitting('reversed')} end as terms
     from json_each(?)
     union all select null, group_concat(term, ' ') from vocabulary
     where organization_id = ? and term in (select value from json_each(?))`,
    [
      organizationId,
      limit,
      organizationId,
      limit,
      JSON.stringify(asked),
      organizationId,
      JSON.stringify(words),
    ],
  );
  for (const { pattern, terms } of rows) {
    const own = terms?.split(' ') ?? [];
    if (pattern === null) found.present = own;
    else found.fitting[pattern] = own;
  }
  return found;
}
