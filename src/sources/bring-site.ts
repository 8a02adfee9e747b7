import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError, codeOf, messageOf } from '../platform/errors.js';
import { packageVersion } from '../platform/package-root.js';
import type { BatchState, IngestTarget } from '../ingestion/bulk/ingest-target.js';
import { recognizeKind } from '../documents/recognize-kind.js';
import { retryIfPassing } from '../ingestion/bulk/ingest-files.js';
import { moveDocument } from '../ingestion/review/move-document.js';
import { getBareBatch, getBatchState } from '../ingestion/review/review-batch.js';
import { hasNoText } from '../ingestion/batches/without-text.js';
import { sha256Of } from '../ingestion/upload/start-ingestion.js';
import { applyPolicy } from './apply-policy.js';
import { nameOfPage } from './name-page.js';
import { removeGone } from './remove-gone.js';
import type { Brought, RunContext } from './run-context.js';
import { crawlSite } from './site/crawl-site.js';
import {
  type CrawlOptions,
  type CrawlReport,
  type LeftOut,
  defaultCrawlOptions,
  failures,
  type PageStatus,
  type SitePage,
} from './site/site-page.js';
import {
  findPages,
  forgetContent,
  forgetVersions,
  movePage,
  type SourcePage,
  storePages,
} from './source-pages.repository.js';
import {
  emptyReport,
  mostListed,
  noCounts,
  type RunDocument,
  type SourceOptions,
} from './source.js';

/** Documents that are read at the same time. The site waits while they are. */
const mostAtOnce = 32;

/** Pages whose state is stored together. */
const mostUnwritten = 50;

/** Reads what is new and changed of a website into drafts, and applies the policy of the source. */
export async function bringSite(context: RunContext, target: IngestTarget): Promise<Brought> {
  const { app, actor, source, onProgress } = context;
  // What the pages of a run link to that did not end is not known: they are read again.
  if (context.isResumed) await forgetVersions(app, source.id);
  const known = await findPages(app, source.id);
  const documents = new Map<string, Document>();
  for (const { address, fileName, batchId } of known) {
    if (fileName !== null && batchId !== null) documents.set(address, { fileName, batchId });
  }
  const names = new Set([...documents.values()].map(({ fileName }) => fileName));
  const found = new Map<string, Found>();
  const failed: LeftOut[] = [];
  const unwritten: SourcePage[] = [];
  const reading = new Set<Promise<void>>();
  const stopped = new AbortController();
  const signal = AbortSignal.any([context.signal, stopped.signal]);
  let fault: unknown;
  let published = 0;

  async function finish(address: string, sent: BatchState): Promise<void> {
    let batch = sent;
    for await (const state of target.watch(sent, signal)) batch = state;
    if (batch.status === 'completed') {
      // Several documents end at once: the sum must not be read before the wait.
      const more = await applyPolicy(app, actor, batch.id, source.policy);
      published += more;
    } else if (batch.status === 'failed') {
      const { kind, fileName, fileSha256 } = await getBareBatch(app, actor, batch.id);
      const file = { fileName, fileSha256, path: null, folder: null };
      // One that had text before is no page to skip: answers may still cite that.
      const isEmpty =
        hasNoText(kind, batch.error) && (await target.lookUp(file)).standing === 'new';
      if (isEmpty) failed.push({ address, reason: 'no_text' });
      else failed.push({ address, reason: 'refused', detail: batch.error?.message ?? '' });
    }
  }

  function begin(address: string, batch: BatchState): void {
    const work = finish(address, batch)
      .catch((error: unknown) => {
        fault ??= error;
        stopped.abort();
      })
      .finally(() => reading.delete(work));
    reading.add(work);
  }

  /** What a run before this one sent and did not finish. */
  async function resume(address: string): Promise<void> {
    const batchId = context.isResumed ? documents.get(address)?.batchId : undefined;
    if (batchId === undefined) return;
    try {
      begin(address, await getBatchState(app, actor, batchId));
    } catch (error) {
      if (codeOf(error) !== 'not_found') throw error;
    }
  }

  async function move(from: string, to: string): Promise<void> {
    const document = documents.get(from);
    const gone = documents.get(to);
    await inTransaction(app, async (app) => {
      if (document !== undefined) await moveDocument(app, actor, document.batchId, to);
      await movePage(app, source.id, from, to);
    });
    for (const address of [from, to]) documents.delete(address);
    if (gone !== undefined) documents.set(from, gone);
    if (document !== undefined) documents.set(to, document);
  }

  async function send(address: string, bytes: Uint8Array, contentType: string): Promise<void> {
    // A document keeps its name, whatever becomes of its type and its address.
    const fileName = documents.get(address)?.fileName ?? nameOfPage(address, contentType, names);
    names.add(fileName);
    const file = { fileName, bytes, fileSha256: sha256Of(bytes), path: null, folder: null };
    const kind = recognizeKind(bytes, fileName);
    const sent = await target.send({ ...file, kind, sourceUrl: address });
    const { batch } = await retryIfPassing(target, sent);
    documents.set(address, { fileName, batchId: batch.id });
    begin(address, batch);
  }

  async function store(page: SitePage): Promise<Omit<LeftOut, 'address'> | undefined> {
    const { address, bytes, contentType, status, movedFrom } = page;
    while (reading.size >= mostAtOnce) await Promise.race(reading);
    if (movedFrom !== null) await move(movedFrom, address);
    try {
      if (bytes === null || contentType === null) await resume(address);
      else await send(address, bytes, contentType);
    } catch (error) {
      // A page that is no document does not end the run.
      if (error instanceof AppError && refused.has(error.code)) {
        return { reason: 'refused', detail: messageOf(error) };
      }
      throw error;
    }
    if (status !== 'gone') found.set(address, { status, movedFrom });
    return undefined;
  }

  async function write(): Promise<void> {
    await storePages(app, source.id, unwritten.splice(0));
  }

  let report: CrawlReport;
  try {
    report = await crawlSite(source.place, crawlOptions(app, source.options), {
      known: known.map(toKnown),
      onPage: store,
      async remember({ checkedAt, ...page }) {
        const { fileName = null, batchId = null } = documents.get(page.address) ?? {};
        unwritten.push({ ...page, checkedAt: checkedAt.toISOString(), fileName, batchId });
        if (unwritten.length >= mostUnwritten) await write();
      },
      now: () => app.clock.now(),
      signal,
      ...(onProgress && { onProgress }),
    });
    await Promise.all(reading);
  } finally {
    await write();
    for (const { address } of failed) await forgetContent(app, source.id, address);
  }
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- whatever the work threw
  if (fault !== undefined) throw fault;
  context.signal.throwIfAborted();
  for (const { address } of failed) found.delete(address);
  // A page that a person named alone is refused.
  const [alone] = failed;
  if (found.size === 0 && failed.length === 1 && alone?.reason === 'no_text') {
    failed[0] = { ...alone, reason: 'refused', detail: 'It has no text of its own.' };
  }
  const changes = [...found].flatMap(([address, { status, movedFrom }]): RunDocument[] => {
    const batchId = documents.get(address)?.batchId;
    const isListed = status !== 'unchanged' && batchId !== undefined;
    return isListed ? [{ status, address, movedFrom, batchId }] : [];
  });
  const brought = describe(report, found, failed, changes, published);
  return removeGone(context, brought, { stay: found.size });
}

/** The document of a page. */
interface Document {
  fileName: string;
  /** Its last reading. */
  batchId: string;
}

/** A page that is there. */
interface Found {
  status: Exclude<PageStatus, 'gone'>;
  movedFrom: string | null;
}

const refused = new Set([
  'not_a_pdf',
  'unsupported_kind',
  'file_too_large',
  'unsupported_media_type',
  'conflict',
]);

/** How a website is read, by the options of its source and the settings of the server. */
export function crawlOptions({ config }: App, options: SourceOptions): CrawlOptions {
  const { include, exclude, depth, mostPages, requestsPerSecond } = options;
  const contact = config.sources.contact || config.server.public_url;
  return {
    ...defaultCrawlOptions,
    include,
    exclude,
    depth: depth ?? defaultCrawlOptions.depth,
    mostPages: mostPages ?? defaultCrawlOptions.mostPages,
    requestsPerSecond: requestsPerSecond ?? defaultCrawlOptions.requestsPerSecond,
    browser: options.render ? config.sources.browser : '',
    mostPageBytes: config.ingestion.max_file_mb * 1024 * 1024,
    allowPrivate: config.sources.allow_private,
    userAgent: `Assistant/${packageVersion()}${contact ? ` (+${contact})` : ''}`,
  };
}

/** A stored page, as a crawl knows it. */
export function toKnown({ checkedAt, ...page }: SourcePage) {
  return { ...page, checkedAt: new Date(checkedAt) };
}

function describe(
  report: CrawlReport,
  found: ReadonlyMap<string, Found>,
  failed: readonly LeftOut[],
  documents: readonly RunDocument[],
  published: number,
): Brought {
  const leftOutCounts = { ...report.counts };
  for (const { reason } of failed) leftOutCounts[reason] = (leftOutCounts[reason] ?? 0) + 1;
  const failing = failures.reduce((sum, reason) => sum + (leftOutCounts[reason] ?? 0), 0);
  const counts = { ...noCounts, failed: failing, published };
  for (const { status } of found.values()) counts[status]++;
  return {
    counts,
    report: {
      ...emptyReport,
      leftOut: [...failed, ...report.leftOut].slice(0, mostListed),
      leftOutCounts,
      documents: documents.slice(0, mostListed),
      endedBy: report.endedBy ?? null,
    },
  };
}
