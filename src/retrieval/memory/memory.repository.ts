import type { App } from '../../platform/app.js';
import type { Visibility } from '../../platform/actor.js';
import type { Language } from '../../platform/text/languages.js';

type Store = Pick<App, 'db'>;

/** What of a passage may change, and its language: who may see it, and where it belongs. */
export interface PassageSettings {
  organizationId: number;
  appId: number | null;
  visibility: Visibility;
  published: boolean;
  language: Language;
  viewId: number | null;
  domain: string | null;
  urlPattern: string | null;
}

interface Row {
  id: number;
  organization_id: number;
  app_id: number | null;
  visibility: Visibility;
  published: number | boolean;
  language: Language;
  view_id: number | null;
  domain: string | null;
  url_pattern: string | null;
}

const columns = [
  ...['p.id', 'p.organization_id', 'p.app_id', 'p.visibility', 'p.published', 'p.language'],
  ...['p.view_id', 'p.domain', 'p.url_pattern'],
];

/** Passages of the whole installation after one, by their number, with their stems. */
export async function readPassagesAfter(
  app: Store,
  id: number,
  limit: number,
): Promise<{ id: number; settings: PassageSettings; stems: Uint8Array }[]> {
  const rows: (Row & { stems: Uint8Array })[] = await app.db
    .read('passages as p')
    .join('passage_stems as s', 's.passage_id', 'p.id')
    .where('p.id', '>', id)
    .orderBy('p.id')
    .limit(limit)
    .select(...columns, 's.stems');
  return rows.map((row) => ({ id: row.id, settings: settingsOf(row), stems: row.stems }));
}

/** The same of passages after one and up to another, without their stems. */
export async function readSettingsBetween(
  app: Store,
  after: number,
  last: number,
  limit: number,
): Promise<{ id: number; settings: PassageSettings }[]> {
  const rows: Row[] = await app.db
    .read('passages as p')
    .where('p.id', '>', after)
    .where('p.id', '<=', last)
    .orderBy('p.id')
    .limit(limit)
    .select(...columns);
  return rows.map((row) => ({ id: row.id, settings: settingsOf(row) }));
}

function settingsOf(row: Row): PassageSettings {
  return {
    organizationId: row.organization_id,
    appId: row.app_id,
    visibility: row.visibility,
    published: Boolean(row.published),
    language: row.language,
    viewId: row.view_id,
    domain: row.domain,
    urlPattern: row.url_pattern,
  };
}
