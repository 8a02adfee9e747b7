import type { App } from '../platform/app.js';
import { AppError, codeOf, messageOf } from '../platform/errors.js';
import { packageVersion } from '../platform/package-root.js';
import type { BatchState, IngestTarget } from '../ingestion/bulk/ingest-target.js';
import { recognizeKind } from '../documents/recognize-kind.js';
import { retryIfPassing } from '../ingestion/bulk/ingest-files.js';
import { fit } from '../ingestion/bulk/name-files.js';
import { getBatchState } from '../ingestion/review/review-batch.js';
import { sha256Of } from '../ingestion/upload/start-ingestion.js';
import { applyPolicy } from './apply-policy.js';
import { removeGone } from './remove-gone.js';
import type { Brought, RunContext } from './run-context.js';
import { crawlSite } from './site/crawl-site.js';
import {
  type CrawlOptions,
  type CrawlReport,
  type LeftOut,
  defaultCrawlOptions,
  type LeftOutReason,
  type SitePage,
} from './site/site-page.js';
import {
  deletePage,
  findPages,
  forgetVersion,
  type SourcePage,
  storeDocument,
  storePage,
} from './source-pages.repository.js';
import { emptyReport, noCounts, type SourceOptions } from './source.js';

/** Documents that are read at the same time. The site waits while they are. */
const mostAtOnce = 32;
/** The most listed addresses of a report. */
const mostListed = 200;
/** What people should look at. Of other reasons, the site wants or does it so. */
const failures: readonly LeftOutReason[] = [
  'redirects',
  'http_status',
  'too_large',
  'timeout',
  'unreachable',
  'refused',
];

/** Reads what is new and changed of a website into drafts, and applies the policy of the source. */
export async function bringSite(context: RunContext, target: IngestTarget): Promise<Brought> {
  const { app, actor, source, onProgress } = context;
  const pages = await findPages(app, source.id);
  const names = new Map(
    pages.flatMap((page) => (page.fileName ? [[page.fileName, page.address]] : [])),
  );
  const nameByAddress = new Map([...names].map(([name, address]) => [address, name]));
  const batchIds = new Map(pages.map(({ address, batchId }) => [address, batchId]));
  const reading = new Set<Promise<void>>();
  const stopped = new AbortController();
  const signal = AbortSignal.any([context.signal, stopped.signal]);
  let fault: unknown;
  let published = 0;
  const failed: LeftOut[] = [];

  async function finish(address: string, sent: BatchState): Promise<void> {
    let batch = sent;
    for await (const state of target.watch(sent, signal)) batch = state;
    if (batch.status === 'completed') {
      // Several documents end at once: the sum must not be read before the wait.
      const more = await applyPolicy(app, actor, batch.id, source.policy);
      published += more;
    } else if (batch.status === 'failed') {
      failed.push({ address, reason: 'refused', detail: batch.error?.message ?? '' });
      await forgetVersion(app, source.id, address);
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
    const batchId = context.isResumed ? batchIds.get(address) : undefined;
    if (!batchId) return;
    try {
      begin(address, await getBatchState(app, actor, batchId));
    } catch (error) {
      if (codeOf(error) !== 'not_found') throw error;
    }
  }

  async function store({ address, bytes, contentType }: SitePage): Promise<string | undefined> {
    while (reading.size >= mostAtOnce) await Promise.race(reading);
    if (bytes === null || contentType === null) {
      await resume(address);
      return undefined;
    }
    // A document keeps its name, whatever becomes of its type.
    const fileName = nameByAddress.get(address) ?? nameOf(address, contentType, names);
    names.set(fileName, address);
    try {
      const file = { fileName, bytes, fileSha256: sha256Of(bytes), path: null, folder: null };
      const kind = recognizeKind(bytes, fileName);
      const sent = await target.send({ ...file, kind, sourceUrl: address });
      const { batch } = await retryIfPassing(target, sent);
      const checkedAt = app.clock.now().toISOString();
      await storeDocument(app, source.id, { address, fileName, batchId: batch.id, checkedAt });
      begin(address, batch);
      return undefined;
    } catch (error) {
      // A page that is no document does not end the run.
      if (error instanceof AppError && refused.has(error.code)) return messageOf(error);
      throw error;
    }
  }

  const report = await crawlSite(source.place, crawlOptions(app, source.options), {
    known: pages.map(toKnown),
    onPage: store,
    remember: (page) => storePage(app, source.id, page),
    now: () => app.clock.now(),
    signal,
    ...(onProgress && { onProgress }),
  });
  await Promise.all(reading);
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- whatever the work threw
  if (fault !== undefined) throw fault;
  context.signal.throwIfAborted();
  const brought = describe(report, published, failed);
  const gone = (await findPages(app, source.id)).flatMap(({ isPage, address, batchId }) =>
    isPage || batchId === null ? [] : [{ name: address, batchId }],
  );
  const { new: fresh, changed, unchanged } = report.pages;
  return removeGone(context, brought, gone, {
    stay: fresh + changed + unchanged,
    onRemoved: ({ name }) => deletePage(app, source.id, name),
  });
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
    mostPageBytes: config.ingestion.max_file_mb * 1024 * 1024,
    allowPrivate: config.sources.allow_private,
    userAgent: `Assistant/${packageVersion()}${contact ? ` (+${contact})` : ''}`,
  };
}

/** A stored page, as a crawl knows it. */
export function toKnown({ checkedAt, ...page }: SourcePage) {
  return { ...page, checkedAt: new Date(checkedAt) };
}

/** The endings of names by type: the ending tells Markdown from plain text. */
const endings: Record<string, RegExp> = {
  '.html': /\.html?$/i,
  '.md': /\.(md|markdown)$/i,
  '.txt': /\.txt$/i,
  '.pdf': /\.pdf$/i,
};
const endingOf: Record<string, string> = {
  'text/html': '.html',
  'text/markdown': '.md',
  'text/plain': '.txt',
  'application/pdf': '.pdf',
};

/** The name of a page’s document: its path, with the ending of its type. Two pages never have one name. */
function nameOf(address: string, contentType: string, taken: ReadonlyMap<string, string>): string {
  const { hostname, pathname, search } = new URL(address);
  const path = pathname.split('/').filter((part) => part !== '');
  const whole = path.length === 0 ? hostname : path.map(decoded).join(' - ');
  const plain = `${whole}${search.replaceAll(/[/\\]/g, '-')}`;
  const ending = endingOf[contentType] ?? '';
  const name = fit(endings[ending]?.test(plain) === false ? `${plain}${ending}` : plain);
  if ((taken.get(name) ?? address) === address) return name;
  return fit(`${sha256Of(Buffer.from(address)).slice(0, 12)} - ${name}`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll(/[/\\]/g, '-');
  } catch {
    return part;
  }
}

function describe(report: CrawlReport, published: number, failed: readonly LeftOut[]): Brought {
  const refusals = (report.counts.refused ?? 0) + failed.length;
  const leftOutCounts = { ...report.counts, ...(refusals > 0 && { refused: refusals }) };
  const failing = failures.reduce((sum, reason) => sum + (leftOutCounts[reason] ?? 0), 0);
  return {
    counts: { ...noCounts, ...report.pages, gone: 0, failed: failing, published },
    report: {
      ...emptyReport,
      leftOut: [...failed, ...report.leftOut].slice(0, mostListed),
      leftOutCounts,
      endedBy: report.endedBy ?? null,
    },
  };
}
