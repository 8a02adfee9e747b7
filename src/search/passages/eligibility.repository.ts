import type { Visibility } from '../../platform/actor.js';
import type { WithDb } from '../../platform/app.js';
import { camelKeys } from '../../platform/wire-names.js';
import type { Eligibility } from './passages.repository.js';

interface EligibilityRow {
  title: string;
  body: string;
  app_id: number | null;
  visibility: Visibility;
  published: number | boolean;
  view_id: number | null;
  domain: string | null;
  url_pattern: string | null;
}

/** The rights of an entry, and its texts; undefined when the organization has no such entry. */
export async function readEligibility(
  app: WithDb,
  organizationId: number,
  entryId: number,
): Promise<{ eligibility: Eligibility; passages: { title: string; body: string }[] } | undefined> {
  const columns = ['app_id', 'visibility', 'published', 'view_id', 'domain', 'url_pattern'];
  const rows: EligibilityRow[] = await app.db
    .read('passages')
    .where({ organization_id: organizationId, entry_id: entryId })
    .orderBy('position')
    .select('title', 'body', ...columns);
  const [first] = rows;
  if (first === undefined) return undefined;
  const { title: _title, body: _body, published, ...reach } = first;
  const eligibility = { organizationId, ...camelKeys(reach), published: Boolean(published) };
  return { eligibility, passages: rows.map(({ title, body }) => ({ title, body })) };
}

/** The rights of an entry, as stored with one of its passages. */
export interface PassageReach {
  entryId: number;
  organizationId: number;
  appId: number | null;
  visibility: Visibility;
}

/** The distinct rights of entries, as stored with their published passages; for at most some hundred entries. */
export async function readReach(app: WithDb, entryIds: number[]): Promise<PassageReach[]> {
  const rows: {
    entry_id: number;
    organization_id: number;
    app_id: number | null;
    visibility: Visibility;
  }[] = await app.db
    .read('passages')
    .whereIn('entry_id', entryIds)
    .where({ published: true })
    .distinct('entry_id', 'organization_id', 'app_id', 'visibility');
  return rows.map(camelKeys);
}

/** The ids of entries with published passages in the organization, ascending, after a given id. */
export async function listReachable(
  app: WithDb,
  organizationId: number,
  after: number,
  limit: number,
): Promise<number[]> {
  return (await app.db
    .read('passages')
    .where({ organization_id: organizationId, published: true })
    .where('entry_id', '>', after)
    .distinct('entry_id')
    .orderBy('entry_id')
    .limit(limit)
    .pluck('entry_id')) as number[];
}
