import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { normalizeHost } from '../../tenancy/page-address.js';
import { listApps } from '../../tenancy/sites.repository.js';
import { findViewOfOrganization, type View } from '../../tenancy/views.repository.js';
import {
  countEntriesWhere,
  findEntriesAfter,
  type EntryFilter,
} from '../entry-lists.repository.js';
import type { Entry } from '../entry.js';
import type { EntryRecord } from './entry-record.js';

const entriesPerQuery = 200;

export type ExportFilter = Pick<EntryFilter, 'status' | 'domain'> & {
  visibility?: Entry['visibility'] | undefined;
};

/**
 * The organization's entries as records that stand by themselves, oldest first, a few hundred in memory at a time.
 * The server may go on meanwhile: each entry is as it was at one moment. Refuses with `forbidden` who may not write
 * knowledge, since drafts are among them. `onProgress` is told of each entry before it is given, and how many there are
 * about.
 */
export async function* exportEntries(
  app: App,
  actor: Actor,
  { status, domain, visibility }: ExportFilter,
  onProgress?: (done: number, total: number) => void,
): AsyncGenerator<EntryRecord & { id: string }> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const apps = await listApps(app, organizationId);
  const names = new Map(apps.map(({ id, name }) => [id, name]));
  const viewOf = viewReader(app, organizationId);
  const filter = {
    organizationId,
    status,
    domain: domain === undefined ? undefined : normalizeHost(domain),
    visibilities: visibility === undefined ? undefined : [visibility],
  };
  const total = onProgress === undefined ? 0 : await countEntriesWhere(app, filter);
  let done = 0;
  let after = 0;
  for (;;) {
    const entries = await findEntriesAfter(app, filter, after, entriesPerQuery);
    for (const entry of entries) {
      done += 1;
      // The server may have made more since they were counted.
      onProgress?.(done, Math.max(done, total));
      const appName = entry.domain === null ? (names.get(entry.appId ?? 0) ?? null) : null;
      yield toRecord(entry, appName, await viewOf(entry.viewId));
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < entriesPerQuery) return;
    after = last.id;
  }
}

/** The views of the entries, each read once. */
function viewReader(app: App, organizationId: number) {
  const known = new Map<number, View | undefined>();
  return async (id: number | null): Promise<View | undefined> => {
    if (id === null) return undefined;
    if (!known.has(id)) known.set(id, await findViewOfOrganization(app, organizationId, id));
    return known.get(id);
  };
}

/** Null fields are named too: importing takes away what was added since. Of provenance only what there is. */
function toRecord(
  entry: Entry,
  appName: string | null,
  view: View | undefined,
): EntryRecord & { id: string } {
  return {
    id: entry.uuid,
    title: entry.title,
    domain: entry.domain,
    ...(appName === null ? {} : { app: appName }),
    url_pattern: entry.urlPattern,
    view: view?.path ?? null,
    ...(view === undefined ? {} : { view_title: view.title }),
    status: entry.status,
    visibility: entry.visibility,
    visibility_defaulted: entry.visibilityDefaulted,
    language: entry.language,
    ...(entry.edited ? { edited: true } : {}),
    ...(entry.wasPublished && entry.status === 'draft' ? { was_published: true } : {}),
    ...(entry.document === null ? {} : { document: entry.document }),
    ...(entry.sourceTitle === null ? {} : { source_title: entry.sourceTitle }),
    ...(entry.sourceSha256 === null ? {} : { source_sha256: entry.sourceSha256 }),
    ...(entry.chunkIndex === null ? {} : { chunk_index: entry.chunkIndex }),
    ...(entry.pageFrom === null ? {} : { page_from: entry.pageFrom }),
    ...(entry.pageTo === null ? {} : { page_to: entry.pageTo }),
    created_at: entry.createdAt,
    content: entry.content,
  };
}
