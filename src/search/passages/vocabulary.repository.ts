import type { WithDb } from '../../platform/app.js';
import { reverse, type VocabularyTerm } from '../../language/vocabulary.js';

/**
 * Adds an organization's new terms. Terms without passages stay until the index is rebuilt; readers check in the
 * postings which terms the caller's passages hold (`findHeldWords`).
 */
export async function addToVocabulary(
  app: WithDb,
  organizationId: number,
  words: VocabularyTerm[],
): Promise<void> {
  const { dialect, write } = app.db;
  const columns = { term: 'text', reversed: 'text', is_word: 'integer' } as const;
  const rows = words.map(({ term, reversed, is_word }) => [term, reversed, is_word ? 1 : 0]);
  await write.raw(
    `insert into vocabulary (organization_id, term, reversed, is_word)
     select cast(? as integer), term, reversed, is_word = 1 from ? where true on conflict do nothing`,
    [organizationId, dialect.tableOf(write, 'words', columns, rows)],
  );
}

/** Deletes the terms before the index is rebuilt. */
export async function deleteVocabularyOf(app: WithDb, organizationId: number): Promise<void> {
  await app.db.write('vocabulary').where({ organization_id: organizationId }).delete();
}

/** A search for terms: letters at one end, and limits of the length. */
export interface WordPattern {
  end: 'beginning' | 'ending';
  letters: string;
  least: number;
  most: number;
  /** The first letter, if known. */
  first?: string;
  /** True to include numbers, names such as foo_bar and short words. */
  anyTerm?: boolean;
}

export interface FoundWords {
  /** For each pattern the matching words, the shortest first. */
  fitting: string[][];
  /** Those of `words` that the vocabulary contains. */
  present: string[];
}

const askedColumns = {
  pattern: 'integer',
  side: 'text',
  edge: 'text',
  beyond: 'text',
  least: 'integer',
  most: 'integer',
  any_term: 'integer',
  first: 'text',
} as const;

/**
 * Finds the organization's words that match patterns (at most `most` each), and those of `words` that it has, in one
 * prepared query. The words come from all passages, even hidden ones: the caller must drop words outside the asker's
 * passages, and continue where the limit cut.
 */
export async function findWords(
  app: WithDb,
  organizationId: number,
  patterns: readonly WordPattern[],
  {
    words = [],
    limit = Number.MAX_SAFE_INTEGER,
  }: { words?: readonly string[]; limit?: number } = {},
): Promise<FoundWords> {
  const found: FoundWords = { fitting: patterns.map(() => []), present: [] };
  if (patterns.length === 0 && words.length === 0) return found;
  const asked = patterns.map(
    ({ end, letters, least, most, first = null, anyTerm = false }, pattern) => {
      const edge = end === 'beginning' ? letters : reverse(letters);
      // The upper end is beyond every word with this beginning, so that an index is used.
      return [pattern, end, edge, `${edge}\u{10ffff}`, least, most, anyTerm ? 1 : 0, first];
    },
  );
  // The index of the column decides on most words: reading the row of each takes ten times as long.
  const fitting = (column: string, first: string) => `(select string_agg(term, ' ') from (
    select term from vocabulary
    where organization_id = ? and ${column} >= asked.edge and ${column} < asked.beyond
      and length(${column}) between asked.least and asked.most
      and (asked.first is null or substr(${column}, ${first}, 1) = asked.first)
      and (is_word or asked.any_term = 1)
    order by length(term), term limit ?) as fitting)`;
  const { dialect, read } = app.db;
  // Distinct, because SQLite otherwise reads the JSON of a pattern again for each word that it looks at. Terms contain
  // no blanks. One row per pattern takes half the time of one row per word.
  const rows = await read.raw<{ pattern: number | null; terms: string | null }[]>(
    `select pattern, case asked.side
       when 'beginning' then ${fitting('term', '1')} else ${fitting('reversed', 'length(reversed)')} end as terms
     from (select distinct * from ?) as asked
     union all select null, string_agg(term, ' ') from vocabulary
     where organization_id = ? and ?`,
    [
      organizationId,
      limit,
      organizationId,
      limit,
      dialect.tableOf(read, 'given', askedColumns, asked),
      organizationId,
      dialect.isAmong(read, 'term', words),
    ],
  );
  for (const { pattern, terms } of rows) {
    const own = terms?.split(' ') ?? [];
    if (pattern === null) found.present = own;
    else found.fitting[pattern] = own;
  }
  return found;
}
