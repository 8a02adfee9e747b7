import type { App } from '../platform/app.js';
import { countTotals, type Totals } from './passages.repository.js';

/** In how many passages of the whole index terms stand, and what is needed beside it to score. */
export interface TermStatistics {
  totals: Totals;
  /** 0 for a term that no passage holds. */
  holding: (term: string) => number;
}

interface Known {
  count: number;
  revision: number;
  passages: number;
}

/** Terms whose counts are remembered for each database. */
const mostRemembered = 50_000;
/** Passages from which on counting a term takes time, since its whole list is read. */
const frequent = 500;
/** Share by which the index may grow or shrink before a frequent term is counted again. */
const drift = 0.02;

const remembered = new WeakMap<App['db'], Map<string, Known>>();

/**
 * Counts of the terms. Exact for rare ones; those of frequent terms are remembered until the index has changed by
 * 2 %, which changes their weight by next to nothing, and counting them would take longer than the search.
 */
export async function readStatistics(
  app: Pick<App, 'db'>,
  terms: Iterable<string>,
): Promise<TermStatistics> {
  const totals = await countTotals(app);
  const known = remembered.get(app.db) ?? new Map<string, Known>();
  remembered.set(app.db, known);
  if (known.size > mostRemembered) known.clear();
  const wanted = new Set(terms);
  const missing = [...wanted].filter((term) => !isFresh(known.get(term), totals));
  if (missing.length > 0) {
    const counts = await app.db.dialect.countPassagesWith(app.db.read, missing);
    const { revision, passages } = totals;
    for (const term of missing) {
      known.set(term, { count: counts.get(term) ?? 0, revision, passages });
    }
  }
  return { totals, holding: (term) => known.get(term)?.count ?? 0 };
}

function isFresh(known: Known | undefined, { revision, passages }: Totals): boolean {
  if (known === undefined) return false;
  if (known.revision === revision) return true;
  return known.count >= frequent && Math.abs(passages - known.passages) < drift * known.passages;
}
