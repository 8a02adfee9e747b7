import type { App } from '../platform/app.js';
import { hashOf } from '../platform/text/term-features.js';
import type { PassageMemory } from './memory/passage-memory.js';
import { countHolding } from './memory/stem-index.js';
import type { Totals } from './passages.repository.js';

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
 * 2 %, which changes their weight by next to nothing, and counting them would take longer than the search. The memory,
 * where there is one, counts those that are frequent, and knows most of those that no passage holds.
 */
export async function readStatistics(
  app: Pick<App, 'db'>,
  totals: Totals,
  terms: Iterable<string>,
  memory: PassageMemory | undefined,
): Promise<TermStatistics> {
  const known = remembered.get(app.db) ?? new Map<string, Known>();
  remembered.set(app.db, known);
  if (known.size > mostRemembered) known.clear();
  const { revision, passages } = totals;
  const counted = new Map<string, number>();
  const missing: string[] = [];
  for (const term of new Set(terms)) {
    const one = known.get(term);
    const count =
      one !== undefined && isFresh(one, totals) ? one.count : countInMemory(memory, term);
    if (count === undefined) missing.push(term);
    else {
      counted.set(term, count);
      if (one?.count !== count) known.set(term, { count, revision, passages });
    }
  }
  if (missing.length > 0) {
    const counts = await app.db.dialect.countPassagesWith(app.db.read, missing);
    for (const term of missing) {
      const count = counts.get(term) ?? 0;
      counted.set(term, count);
      known.set(term, { count, revision, passages });
    }
  }
  return { totals, holding: (term) => counted.get(term) ?? 0 };
}

/**
 * Undefined where the database is to be asked: a rare stem may be taken for another there, of which most are rare too.
 */
function countInMemory(memory: PassageMemory | undefined, term: string): number | undefined {
  if (memory === undefined) return undefined;
  const { stems, settings } = memory;
  const count = countHolding(stems, hashOf(term), (slot) => settings[slot] !== undefined);
  return count === 0 || count >= frequent ? count : undefined;
}

function isFresh(known: Known, { revision, passages }: Totals): boolean {
  if (known.revision === revision) return true;
  return known.count >= frequent && Math.abs(passages - known.passages) < drift * known.passages;
}
