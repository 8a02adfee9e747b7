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
  // One value for all words: the statement is the same for any number of them, and stays prepared.
  const rows = JSON.stringify(
    words.map(({ term, reversed, is_word }) => [term, reversed, is_word]),
  );
  await app.db.write.raw(
    `insert or ignore into vocabulary (organization_id, term, reversed, is_word)
     select ?, value ->> 0, value ->> 1, value ->> 2 from json_each(?)`,
    [organizationId, rows],
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

/**
 * Finds the organization's words that match patterns (at most `most` each), and those of `words` that it has, in one
 * prepared query. The words come from all passages, even hidden ones: the caller must drop words outside the asker's
 * passages, and continue where the limit cut.
 */
export async function findWords(
  app: WithDb,
  organizationId: number,
  patterns: readonly WordPattern[],
  { words = [], limit = -1 }: { words?: readonly string[]; limit?: number } = {},
): Promise<FoundWords> {
  const found: FoundWords = { fitting: patterns.map(() => []), present: [] };
  if (patterns.length === 0 && words.length === 0) return found;
  const asked = patterns.map(({ end, letters, least, most, first, anyTerm = false }) => {
    const edge = end === 'beginning' ? letters : reverse(letters);
    // The upper end is beyond every word with this beginning, so that an index is used.
    return [end, edge, `${edge}\u{10ffff}`, least, most, anyTerm ? 0 : 1, first];
  });
  const fitting = (column: string) => `(select group_concat(term, ' ') from (
    select term from vocabulary
    where organization_id = ? and ${column} >= value ->> 1 and ${column} < value ->> 2
      and length(term) between value ->> 3 and value ->> 4 and is_word >= value ->> 5
      and (value ->> 6 is null or substr(term, 1, 1) = value ->> 6)
    order by length(term), term limit ?))`;
  // Terms contain no blanks. One row per pattern takes half the time of one row per word.
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
