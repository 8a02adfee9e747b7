import type { App } from '../platform/app.js';
import type { ScoredPassage } from '../platform/db/dialect.js';
import { queryTerms, type QueryTerm } from '../platform/text/analyze.js';
import { hashOf } from '../platform/text/term-features.js';
import { bestPassages } from './rank-by-stems.js';
import { withWholeIndex } from './term-index/open-index.js';
import { countVisible, readPostings, type Postings } from './term-index/postings.js';
import type { PassageIndex } from './term-index/index-cache.js';
import { findWords } from './vocabulary.repository.js';
import { rarity } from './weigh-terms.js';

/** Words of a filter at most: the rest of an endless text narrows nothing any more. */
const mostWords = 20;
/** Words of the organization that one begins, at most. */
const mostBegun = 200;

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
  const wanted = (telling.length > 0 ? telling : terms).slice(0, mostWords);
  if (wanted.length === 0) return [];
  const begun = await wordsBegunBy(app, organizationId, wanted);
  return withWholeIndex(app, organizationId, async (index) => {
    const forms = wanted.map((term, at) => [...new Set([...term.variants, ...(begun[at] ?? [])])]);
    const postings = await readPostings(app, index, forms.flat().map(hashOf));
    const groups = forms.map((own) => weighed(index, postings, own));
    // foo.bar is looked for by its parts, which follow it, where no passage has it in one piece.
    const required = groups.filter((own, at) => own.length > 0 || !isWhole(wanted[at]));
    if (required.some((own) => own.length === 0)) return [];
    const ranking = { groups: required.map((own) => ({ forms: own })), postings };
    return bestPassages(index, { ...ranking, most: Infinity, every: true });
  });
}

function isWhole(term: QueryTerm | undefined): boolean {
  return term !== undefined && /[\p{L}\p{N}][._\-‐‑][\p{L}\p{N}]/u.test(term.text);
}

async function wordsBegunBy(
  app: Pick<App, 'db'>,
  organizationId: number,
  terms: readonly QueryTerm[],
): Promise<string[][]> {
  const patterns = terms.flatMap(({ variants }, term) =>
    variants.map((letters) => {
      const pattern = { end: 'beginning' as const, letters, least: letters.length + 1, most: 64 };
      return { term, pattern: { ...pattern, limit: mostBegun } };
    }),
  );
  const found = await findWords(
    app,
    organizationId,
    patterns.map(({ pattern }) => pattern),
  );
  const words: string[][] = terms.map(() => []);
  for (const [at, { term }] of patterns.entries()) words[term]?.push(...(found[at] ?? []));
  return words;
}

function weighed(index: PassageIndex, postings: Postings, forms: readonly string[]) {
  return forms.flatMap((form) => {
    const hash = hashOf(form);
    const holding = countVisible(index, postings, hash);
    return holding === 0 ? [] : [{ hash, weight: rarity(index.totals.passages, holding) }];
  });
}
