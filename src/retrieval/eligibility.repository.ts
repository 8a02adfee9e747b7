import type { Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
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

/** Who may find an entry, and its texts, whoever asks; undefined for one that the organization does not have. */
export async function readEligibility(
  app: Pick<App, 'db'>,
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
  const eligibility = {
    organizationId,
    appId: first.app_id,
    visibility: first.visibility,
    published: Boolean(first.published),
    viewId: first.view_id,
    domain: first.domain,
    urlPattern: first.url_pattern,
  };
  return { eligibility, passages: rows.map(({ title, body }) => ({ title, body })) };
}
