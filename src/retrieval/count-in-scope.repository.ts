import type { App } from '../platform/app.js';
import { withinScope, type SearchScope } from './passages.repository.js';

type Store = Pick<App, 'db'>;

/** How many passages the scope has. */
export async function countInScope(app: Store, scope: SearchScope): Promise<number> {
  const query = app.db.read('passages as p').count({ passages: 'p.id' });
  const rows = (await withinScope(query, scope)) as { passages: number }[];
  return rows[0]?.passages ?? 0;
}

/** In how many passages of the scope any of the terms stands. It reads every row of the index with them. */
export async function countHolding(
  app: Store,
  scope: SearchScope,
  terms: readonly string[],
): Promise<number> {
  const query = app.db.dialect.passagesWith(app.db.read, terms).count({ passages: 'p.id' });
  const rows = (await withinScope(query, scope)) as { passages: number }[];
  return rows[0]?.passages ?? 0;
}
