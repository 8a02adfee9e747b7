import type { App } from '../../platform/app.js';
import type { Language } from '../../language/language-pack.js';
import { withinScope, type SearchScope } from './scope.js';

export interface SampledPassage {
  id: number;
  entryId: number;
  title: string;
  body: string;
  language: Language;
}

/** Samples passages (visible ones or all) over the whole index. The sample is the same until the index changes. */
export async function samplePassages(
  app: Pick<App, 'db'>,
  scope: SearchScope | undefined,
  most: number,
): Promise<SampledPassage[]> {
  const all = app.db.read('passages as p');
  const seen = scope === undefined ? all : withinScope(all, scope);
  const ids = (await seen.orderBy('p.id').pluck('p.id')) as number[];
  const step = Math.max(1, ids.length / most);
  const chosen = Array.from({ length: Math.min(most, ids.length) }, (_, index) => {
    return ids[Math.floor(index * step)] ?? 0;
  });
  const rows: SampledPassage[] = await app.db.dialect
    .rowsWithKey(app.db.read, 'passages', 'id', chosen)
    .orderBy('id')
    .select('id', 'entry_id as entryId', 'title', 'body', 'language');
  return rows;
}
