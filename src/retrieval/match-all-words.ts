import type { Knex } from 'knex';
import type { App } from '../platform/app.js';
import { queryTerms } from '../platform/text/analyze.js';
import { matchEntries } from './passages.repository.js';

/** Words of a filter at most: the rest of an endless text narrows nothing any more. */
const mostWords = 20;

/**
 * A subquery of the entries (`entry_id`, `score`) with a passage that holds every word of a text, in any form and
 * as the beginning of a word; undefined for a text without words, which nothing matches. Function words count only
 * where there are no others. The subquery has no rights: whoever joins it adds them.
 */
export function matchAllWords(app: Pick<App, 'db'>, text: string): Knex.QueryBuilder | undefined {
  const terms = queryTerms(text);
  const telling = terms.filter((term) => !term.isStopWord);
  const wanted = (telling.length > 0 ? telling : terms).slice(0, mostWords);
  if (wanted.length === 0) return undefined;
  return matchEntries(
    app,
    wanted.map((term) => term.variants),
  );
}
