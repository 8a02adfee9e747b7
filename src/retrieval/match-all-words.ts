import type { Knex } from 'knex';
import type { App } from '../platform/app.js';
import { queryTerms, type QueryTerm } from '../platform/text/analyze.js';
import { hashOf } from '../platform/text/term-features.js';
import { bestPassages } from './rank-by-stems.js';
import {
  countVisible,
  readPostings,
  withWholeIndex,
  type PassageIndex,
  type Postings,
} from './term-index/open-index.js';
import { findWords } from './vocabulary.repository.js';
import { rarity } from './weigh-terms.js';

/** Words of a filter at most: the rest of an endless text narrows nothing any more. */
const mostWords = 20;
/** Words of the organization that one begins, at most. */
const mostBegun = 200;

/**
 * A subquery of the organization's entries (`entry_id`, `score`: higher is better) with a passage that holds every word
 * of a text, in any form and as the beginning of a word; undefined for a text without words, which nothing matches.
 * Function words count only where there are no others. The subquery has no rights, drafts are in it too: whoever joins
 * it adds them.
 */
export async function matchAllWords(
  app: Pick<App, 'db'>,
  organizationId: number,
  text: string,
): Promise<Knex.QueryBuilder | undefined> {
  const terms = queryTerms(text);
  const telling = terms.filter((term) => !term.isStopWord);
  const wanted = (telling.length > 0 ? telling : terms).slice(0, mostWords);
  if (wanted.length === 0) return undefined;
  const begun = await wordsBegunBy(app, organizationId, wanted);
  const found = await withWholeIndex(app, organizationId, async (index) => {
    const forms = wanted.map((term, at) => [...new Set([...term.variants, ...(begun[at] ?? [])])]);
    const postings = await readPostings(app, index, forms.flat().map(hashOf));
    const groups = forms.map((own) => weighed(index, postings, own));
    // foo.bar is looked for by its parts, which follow it, where no passage has it in one piece.
    const required = groups.filter((own, at) => own.length > 0 || !isWhole(wanted[at]));
    if (required.some((own) => own.length === 0)) return [];
    const ranking = { groups: required.map((own) => ({ forms: own })), postings };
    return bestPassages(index, { ...ranking, most: Infinity, every: true });
  });
  return app.db.dialect.entriesOfPassages(app.db.read, found);
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
