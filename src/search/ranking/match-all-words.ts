import type { Visibility } from '../../platform/actor.js';
import type { App, WithDb } from '../../platform/app.js';
import { queryTerms, type QueryTerm } from '../../language/analyze.js';
import { hashOf } from '../../language/term-features.js';
import { findHeldWords } from './find-held-words.js';
import { bestPassages, type ScoredPassage } from './rank-by-stems.js';
import type { PassageIndex } from '../term-index/index-cache.js';
import { withIndex, withWholeIndex } from '../term-index/open-index.js';
import { createTermCounts } from '../term-index/postings.js';

/** The most words of a filter: further words of an endless text narrow nothing. */
const mostWords = 20;
/** The most completions of a filter word: the shortest that the reader's passages hold. */
const mostCompletions = 500;

/**
 * The organization's passages that hold every word of a text, in any form and as the beginning of a word; none for a
 * text without words. Function words count only when there are no others. The result includes drafts and all tiers: the
 * query that joins it must add the rights. `tiers` are the reader's: a reader without the internal tier sees no drafts,
 * and words are completed only from visible passages.
 */
export async function matchAllWords(
  app: Pick<App, 'db' | 'searchThread'>,
  organizationId: number,
  tiers: Visibility[],
  text: string,
): Promise<ScoredPassage[]> {
  const found = await app.searchThread?.run(({ call }) =>
    call('matchAllWords', organizationId, tiers, text),
  );
  return found ?? match(app, organizationId, tiers, text);
}

async function match(
  app: WithDb,
  organizationId: number,
  tiers: Visibility[],
  text: string,
): Promise<ScoredPassage[]> {
  const terms = queryTerms(text);
  const telling = terms.filter((term) => !term.isStopWord);
  const asked = telling.length > 0 ? telling : terms;
  // foo.bar is matched by its parts, which follow it. to-do is matched as one word, because its parts mean nothing.
  const parts = asked.filter((term) => !hasParts(term));
  const wanted = (parts.length > 0 ? parts : asked).slice(0, mostWords);
  if (wanted.length === 0) return [];
  const complete = (index: PassageIndex) => completionsOf(app, organizationId, wanted, index);
  const completions = tiers.includes('internal')
    ? await withWholeIndex(app, organizationId, complete)
    : await withIndex(app, { organizationId, appId: undefined, tiers }, complete);
  return withWholeIndex(app, organizationId, async (index) => {
    const hashes = wanted.map(({ variants }, at) => {
      return [...new Set([...variants, ...(completions[at] ?? [])])].map(hashOf);
    });
    // All words have equal weight: rarity would reveal texts that the reader may not see.
    const groups = hashes.map((own) => ({ forms: own.map((hash) => ({ hash, weight: 1 })) }));
    return bestPassages(app, index, { groups, most: Infinity, every: true });
  });
}

/** True when its parts are terms of their own; false for a number such as 2.1. */
function hasParts({ text }: QueryTerm): boolean {
  return /[\p{L}\p{N}][._\-‐‑][\p{L}\p{N}]/u.test(text) && !/^v?[\p{N}.]+$/u.test(text);
}

async function completionsOf(
  app: WithDb,
  organizationId: number,
  terms: readonly QueryTerm[],
  index: PassageIndex,
): Promise<string[][]> {
  const patterns = terms.flatMap(({ variants }, term) =>
    variants.map((letters) => {
      const pattern = { end: 'beginning' as const, letters, least: letters.length + 1, most: 64 };
      return { term, pattern: { ...pattern, anyTerm: true } };
    }),
  );
  const { fitting } = await findHeldWords(
    app,
    organizationId,
    patterns.map(({ pattern }) => pattern),
    { counts: createTermCounts(app, index), most: mostCompletions },
  );
  const words: string[][] = terms.map(() => []);
  for (const [at, { term }] of patterns.entries()) words[term]?.push(...(fitting[at] ?? []));
  return words;
}
