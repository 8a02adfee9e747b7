import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { normalizeHost } from '../../tenancy/page-address.js';
import { listApps } from '../../tenancy/sites.repository.js';
import { views, type View } from '../../tenancy/views.repository.js';
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
 * Exports the organization's entries as self-contained records, oldest first, with a few hundred in memory at a time.
 * The server may run meanwhile; each entry is consistent. Errors: `forbidden` for actors who may not write knowledge,
 * because drafts are included. `onProgress` receives the number of exported entries and the approximate total.
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
      // The server may have created more since the count.
      onProgress?.(done, Math.max(done, total));
      const appName = entry.domain === null ? (names.get(entry.appId ?? 0) ?? null) : null;
      yield toRecord(entry, appName, await viewOf(entry.viewId));
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < entriesPerQuery) return;
    after = last.id;
  }
}

/** Reads the views of the entries, each once. */
function viewReader(app: App, organizationId: number) {
  const known = new Map<number, View | undefined>();
  return async (id: number | null): Promise<View | undefined> => {
    if (id === null) return undefined;
    if (!known.has(id)) known.set(id, await views.find(app, { organizationId, id }));
    return known.get(id);
  };
}

/** Includes null fields, so that an import resets fields that were set since. Provenance only if there is any. */
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
    ...(entry.sourceUrl === null ? {} : { source_url: entry.sourceUrl }),
    ...(entry.sourceAnchor === null ? {} : { source_anchor: entry.sourceAnchor }),
    ...(entry.sourceAnchors === null ? {} : { source_anchors: entry.sourceAnchors }),
    ...(entry.sourceTitle === null ? {} : { source_title: entry.sourceTitle }),
    ...(entry.sourceSha256 === null ? {} : { source_sha256: entry.sourceSha256 }),
    ...(entry.mergedSha256s === null ? {} : { merged_sha256s: entry.mergedSha256s }),
    ...(entry.chunkIndex === null ? {} : { chunk_index: entry.chunkIndex }),
    ...(entry.pageFrom === null ? {} : { page_from: entry.pageFrom }),
    ...(entry.pageTo === null ? {} : { page_to: entry.pageTo }),
    created_at: entry.createdAt,
    content: entry.content,
  };
}
