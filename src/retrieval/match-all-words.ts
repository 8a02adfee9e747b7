import type { App } from '../platform/app.js';
import type { ScoredPassage } from '../platform/db/dialect.js';
import { queryTerms, type QueryTerm } from '../platform/text/analyze.js';
import { hashOf } from '../platform/text/term-features.js';
import { bestPassages } from './rank-by-stems.js';
import { withWholeIndex } from './term-index/open-index.js';
import { readPostings } from './term-index/postings.js';
import { findWords } from './vocabulary.repository.js';

/** Words of a filter at most: the rest of an endless text narrows nothing any more. */
const mostWords = 20;
/** Terms of the organization that begin with a word of the filter, at most. */
const mostCompletions = 500;

/**
 * The organization's passages that hold every word of a text, in any form and as the beginning of a word; none for a
 * text without words. Function words count only where there are no others. Drafts are among them, and passages of every
 * tier: the query that joins them adds the rights.
 */
export async function matchAllWords(
  app: Pick<App, 'db'>,
  organizationId: number,
  text: string,
): Promise<ScoredPassage[]> {
  const terms = queryTerms(text);
  const telling = terms.filter((term) => !term.isStopWord);
  const asked = telling.length > 0 ? telling : terms;
  // foo.bar is looked for by its parts, which follow it; to-do, whose parts tell nothing, in one piece.
  const parts = asked.filter((term) => !hasParts(term));
  const wanted = (parts.length > 0 ? parts : asked).slice(0, mostWords);
  if (wanted.length === 0) return [];
  const completions = await completionsOf(app, organizationId, wanted);
  return withWholeIndex(app, organizationId, async (index) => {
    const hashes = wanted.map(({ variants }, at) => {
      return [...new Set([...variants, ...(completions[at] ?? [])])].map(hashOf);
    });
    const postings = await readPostings(app, index, hashes.flat());
    // All weigh the same: how rare they are depends on texts that the reader may not see.
    const groups = hashes.map((own) => ({ forms: own.map((hash) => ({ hash, weight: 1 })) }));
    return bestPassages(index, { groups, postings, most: Infinity, every: true });
  });
}

/** Whether its parts are terms of their own; those of a number such as 2.1 are not. */
function hasParts({ text }: QueryTerm): boolean {
  return /[\p{L}\p{N}][._\-‐‑][\p{L}\p{N}]/u.test(text) && !/^v?[\p{N}.]+$/u.test(text);
}

async function completionsOf(
  app: Pick<App, 'db'>,
  organizationId: number,
  terms: readonly QueryTerm[],
): Promise<string[][]> {
  const patterns = terms.flatMap(({ variants }, term) =>
    variants.map((letters) => {
      const pattern = { end: 'beginning' as const, letters, least: letters.length + 1, most: 64 };
      return { term, pattern: { ...pattern, limit: mostCompletions, anyTerm: true } };
    }),
  );
  const { fitting } = await findWords(
    app,
    organizationId,
    patterns.map(({ pattern }) => pattern),
  );
  const words: string[][] = terms.map(() => []);
  for (const [at, { term }] of patterns.entries()) words[term]?.push(...(fitting[at] ?? []));
  return words;
}
