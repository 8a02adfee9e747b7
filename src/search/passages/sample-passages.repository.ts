import type { WithDb } from '../../platform/app.js';
import type { Visibility } from '../../platform/actor.js';
import type { Language } from '../../language/language-pack.js';
import { withinScope, type SearchScope } from './scope.js';

export interface SampledPassage {
  id: number;
  entryId: number;
  title: string;
  body: string;
  language: Language;
}

/** Samples the passages that a search may see, evenly. The sample is the same until these passages change. */
export async function samplePassages(
  app: WithDb,
  scope: SearchScope,
  most: number,
): Promise<SampledPassage[]> {
  const seen = withinScope(app.db.read('passages as p'), scope);
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

export interface FindableCount {
  organizationId: number;
  visibility: Visibility;
  passages: number;
}

declare module '../../platform/db/database.js' {
  interface DatabaseMemory {
    findable?: { revisions: number; counts: FindableCount[] };
  }
}

/** The number of findable passages of each organization and tier. Counted again only after a change. */
export async function countFindable({ db }: WithDb): Promise<FindableCount[]> {
  // Read before counting: a change meanwhile makes the next call count again.
  const [row]: { revisions: number | null }[] = await db
    .read('passage_revisions')
    .sum({ revisions: 'revision' });
  const revisions = row?.revisions ?? 0;
  if (db.memory.findable?.revisions === revisions) return db.memory.findable.counts;
  // Reads only the index passages_rights, in its order. A condition instead of a group would sort
  // all passages.
  const rows: (FindableCount & { published: number | boolean })[] = await db
    .read('passages as p')
    .groupBy('p.organization_id', 'p.published', 'p.visibility')
    .select('p.organization_id as organizationId', 'p.published', 'p.visibility')
    .count({ passages: 'p.app_id' });
  const counts = rows.filter(({ published, passages }) => Boolean(published) && passages > 0);
  db.memory.findable = { revisions, counts };
  return counts;
}
