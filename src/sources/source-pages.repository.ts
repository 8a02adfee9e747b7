import type { WithDb } from '../platform/app.js';
import { flag, plain, record, type RecordOf } from '../platform/db/record.js';
import { sha256Of } from '../ingestion/upload/start-ingestion.js';
import type { KnownPage } from './site/site-page.js';

const pages = record({
  sourceId: plain<number>(),
  addressSha256: plain<string>('address_sha256'),
  address: plain<string>(),
  /** False for an address that brought no page. One that has a document then is gone. */
  isPage: flag(),
  depth: plain<number>(),
  etag: plain<string | null>(),
  lastModified: plain<string | null>(),
  contentHash: plain<string | null>(),
  sitemapDate: plain<string | null>(),
  checkedAt: plain<string>(),
  /** The name of its document. */
  fileName: plain<string | null>(),
  /** The last batch of its document. */
  batchId: plain<string | null>(),
});

export type SourcePage = RecordOf<typeof pages>;

/** What is known of all addresses of a source. */
export async function findPages(app: WithDb, sourceId: number): Promise<SourcePage[]> {
  return pages.all(app.db.read('source_pages').where({ source_id: sourceId }).orderBy('address'));
}

/** Stores what a crawl knows of an address. The name and the batch of its document stay as they are. */
export async function storePage(app: WithDb, sourceId: number, page: KnownPage): Promise<void> {
  const checkedAt = page.checkedAt.toISOString();
  const row = pages.columns({ ...page, ...keyOf(sourceId, page.address), checkedAt });
  await upsert(app, row, row);
}

/** Makes the next crawl read a page again, because its document could not be read. */
export async function forgetVersion(app: WithDb, sourceId: number, address: string): Promise<void> {
  await app.db
    .write('source_pages')
    .where({ source_id: sourceId, address_sha256: hashOf(address) })
    .update({ etag: null, last_modified: null, sitemap_date: null, content_hash: null });
}

/** Adds an address with its document, or changes the document of a known one. */
export async function storeDocument(
  app: WithDb,
  sourceId: number,
  document: Pick<SourcePage, 'address' | 'fileName' | 'batchId' | 'checkedAt'>,
): Promise<void> {
  const { address, fileName, batchId } = document;
  const row = pages.columns({ ...document, ...keyOf(sourceId, address), isPage: false, depth: 0 });
  await upsert(app, row, pages.columns({ fileName, batchId }));
}

export async function deletePage(app: WithDb, sourceId: number, address: string): Promise<void> {
  await app.db
    .write('source_pages')
    .where({ source_id: sourceId, address_sha256: hashOf(address) })
    .delete();
}

/** Makes the next crawl read every page, because what is read of the site has changed. */
export async function forgetVersions(app: WithDb, sourceId: number): Promise<void> {
  await app.db
    .write('source_pages')
    .where({ source_id: sourceId })
    .update({ etag: null, last_modified: null, sitemap_date: null });
}

async function upsert(app: WithDb, row: object, change: object): Promise<void> {
  await app.db
    .write('source_pages')
    .insert(row)
    .onConflict(['source_id', 'address_sha256'])
    .merge(change);
}

function keyOf(sourceId: number, address: string) {
  return { sourceId, addressSha256: hashOf(address) };
}

function hashOf(address: string): string {
  return sha256Of(Buffer.from(address));
}
