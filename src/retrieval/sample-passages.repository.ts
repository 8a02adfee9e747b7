import type { App } from '../platform/app.js';
import type { Passage } from './passages.repository.js';
import { withinScope, type SearchScope } from './scope.js';

/** Some of the passages that a search may see, from all over what there is: the same ones each time. */
export async function samplePassages(
  app: Pick<App, 'db'>,
  scope: SearchScope,
  limit: number,
): Promise<Pick<Passage, 'id' | 'entryId' | 'title' | 'body'>[]> {
  const seen = () => withinScope(app.db.read('passages as p'), scope);
  const ids = (await seen().orderBy('p.id').pluck('p.id')) as number[];
  const step = Math.max(1, ids.length / limit);
  const chosen = Array.from({ length: Math.min(limit, ids.length) }, (_, index) => {
    return ids[Math.floor(index * step)] ?? 0;
  });
  const rows: { id: number; entry_id: number; title: string; body: string }[] = await seen()
    .whereIn('p.id', chosen)
    .orderBy('p.id')
    .select('p.id', 'p.entry_id', 'p.title', 'p.body');
  return rows.map(({ entry_id: entryId, ...passage }) => ({ ...passage, entryId }));
}
