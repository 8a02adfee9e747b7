import type { App, WithDb } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { flag, plain, record, type RecordOf } from '../platform/db/record.js';
import { sha256Of } from '../ingestion/upload/start-ingestion.js';

/** Rows of one statement. */
const mostAtOnce = 50;

const pages = record({
  sourceId: plain<number>(),
  addressSha256: plain<string>('address_sha256'),
  address: plain<string>(),
  /** False for an address that brought no page. One that has a document then is gone. */
  isPage: flag(),
  depth: plain<number>(),
  etag: plain<string | null>(),
  lastModified: plain<string | null>(),
  bodyHash: plain<string | null>(),
  contentHash: plain<string | null>(),
  textHash: plain<string | null>(),
  sitemapDate: plain<string | null>(),
  checkedAt: plain<string>(),
  /** The name of its document. */
  fileName: plain<string | null>(),
  /** The last batch of its document. */
  batchId: plain<string | null>(),
});

export type SourcePage = Omit<RecordOf<typeof pages>, 'sourceId' | 'addressSha256'>;

/** What is known of all addresses of a source. */
export async function findPages(app: WithDb, sourceId: number): Promise<SourcePage[]> {
  return pages.all(app.db.read('source_pages').where({ source_id: sourceId }).orderBy('address'));
}

/** What is known of a file that is gone. */
const noPage = {
  isPage: false,
  depth: 0,
  etag: null,
  lastModified: null,
  bodyHash: null,
  contentHash: null,
  textHash: null,
  sitemapDate: null,
};

/** A page or file that is at the source no longer, with the last reading of its document. */
export interface GonePage {
  /** The address, or the name of the file. */
  address: string;
  batchId: string;
}

export async function findGone(app: WithDb, sourceId: number): Promise<GonePage[]> {
  const gone = { source_id: sourceId, ...pages.columns({ isPage: false }) };
  const rows = await pages.all(app.db.read('source_pages').where(gone).orderBy('address'));
  return rows.flatMap(({ address, batchId }) => (batchId === null ? [] : [{ address, batchId }]));
}

/** Stores which files of a folder are gone. Of a folder, nothing else is kept here. */
export async function replaceGone(
  app: Pick<App, 'db' | 'clock'>,
  sourceId: number,
  gone: readonly GonePage[],
): Promise<void> {
  const checkedAt = timestamp(app.clock);
  await app.db.write('source_pages').where({ source_id: sourceId }).delete();
  for (let start = 0; start < gone.length; start += mostAtOnce) {
    const rows = gone.slice(start, start + mostAtOnce).map(({ address, batchId }) => {
      return { ...noPage, address, fileName: address, batchId, checkedAt };
    });
    await storePages(app, sourceId, rows);
  }
}

/** Stores what a crawl knows of some dozens of addresses. */
export async function storePages(
  app: WithDb,
  sourceId: number,
  found: readonly SourcePage[],
): Promise<void> {
  const rows = found.map((page) => pages.columns({ ...page, sourceId, ...keyOf(page.address) }));
  if (rows.length === 0) return;
  const key = ['source_id', 'address_sha256'];
  await app.db.write('source_pages').insert(rows).onConflict(key).merge();
}

/** Gives a page and its document another address. A document that is gone there takes the old one: it is still gone. */
export async function movePage(
  app: WithDb,
  sourceId: number,
  from: string,
  to: string,
): Promise<void> {
  const gone = await pages.first(whereAddress(app, sourceId, to));
  await deletePage(app, sourceId, to);
  const moved = pages.columns({ address: to, ...keyOf(to) });
  await whereAddress(app, sourceId, from).update({ ...moved, ...noVersion });
  if (gone !== undefined) await storePages(app, sourceId, [{ ...gone, address: from }]);
}

export async function deletePage(app: WithDb, sourceId: number, address: string): Promise<void> {
  await whereAddress(app, sourceId, address).delete();
}

/** What makes the next crawl read a page, whatever the site says. */
const noVersion = { etag: null, last_modified: null, sitemap_date: null, body_hash: null };

/** Makes the next crawl read a page again, and take it for changed, because its document could not be read. */
export async function forgetContent(app: WithDb, sourceId: number, address: string): Promise<void> {
  await whereAddress(app, sourceId, address).update({ ...noVersion, content_hash: null });
}

/** Makes the next crawl read every page, because what is read of the site has changed. */
export async function forgetVersions(app: WithDb, sourceId: number): Promise<void> {
  await app.db.write('source_pages').where({ source_id: sourceId }).update(noVersion);
}

function whereAddress(app: WithDb, sourceId: number, address: string) {
  const { addressSha256 } = keyOf(address);
  return app.db.write('source_pages').where({ source_id: sourceId, address_sha256: addressSha256 });
}

function keyOf(address: string) {
  return { addressSha256: sha256Of(Buffer.from(address)) };
}
