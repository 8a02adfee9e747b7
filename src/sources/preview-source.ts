import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { ConcurrencyLimit } from '../platform/concurrency-limit.js';
import { AppError, tooMany } from '../platform/errors.js';
import { crawlOptions, toKnown } from './bring-site.js';
import { openPageReader } from './find-no-text.js';
import { getSource } from './read-sources.js';
import type { RunOptions } from './run-context.js';
import { crawlSite } from './site/crawl-site.js';
import type { CrawlReport, SitePage } from './site/site-page.js';
import type { SourceOptions } from './source.js';
import { findPages, type SourcePage } from './source-pages.repository.js';

/** What a run of a website would bring. */
export interface Preview {
  pages: Pick<SitePage, 'address' | 'status' | 'title'>[];
  report: CrawlReport;
}

declare module '../platform/app.js' {
  interface App {
    /** One at a time for each organization: a preview holds a request of the server for a while. */
    sourcePreviews: ConcurrencyLimit;
  }
}

/** The pages of a short preview. */
export const previewPages = 20;
/** Its time limit, in milliseconds, so that a browser still waits for it. */
const previewMs = 20_000;

type Reading = Pick<RunOptions, 'signal' | 'onProgress'>;

/** What a run of a source would bring. Errors: `not_found`; `usage` for a folder; those of previewSite. */
export async function previewSource(
  app: App,
  actor: Actor,
  id: number,
  reading: Reading,
): Promise<Preview> {
  const { kind, place, name, options } = await getSource(app, actor, id);
  if (kind === 'folder') {
    const sentence = `--dry-run is for websites. Of a folder: assistant ingest ${place} --source ${name} --dry-run`;
    throw new AppError('usage', sentence);
  }
  const known = await findPages(app, id);
  return previewSite(app, actor, { place, options, known }, reading);
}

/**
 * The same of the first pages, within seconds. Errors: those of previewSource; `rate_limited` while the organization has
 * another preview made.
 */
export async function previewShortly(app: App, actor: Actor, id: number): Promise<Preview> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const source = await getSource(app, actor, id);
  const who = String(organizationId);
  if (!app.sourcePreviews.take(who)) throw tooMany('previews at once: one is being made');
  try {
    const known = await findPages(app, id);
    const options = { ...source.options, mostPages: previewPages };
    const signal = AbortSignal.any([app.stopping, AbortSignal.timeout(previewMs)]);
    return await previewSite(app, actor, { place: source.place, options, known }, { signal });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('timeout', `${source.place} did not answer in time.`, { cause: error });
  } finally {
    app.sourcePreviews.leave(who);
  }
}

/** Reads the pages of a website without storing anything. Errors: those of crawlSite. */
export async function previewSite(
  app: App,
  actor: Actor,
  { place, options, known }: { place: string; options: SourceOptions; known: SourcePage[] },
  { signal, onProgress }: Reading,
): Promise<Preview> {
  requirePermission(actor, 'knowledge.write');
  const pages: Preview['pages'] = [];
  const reader = openPageReader(app, signal);
  let report: CrawlReport;
  try {
    report = await crawlSite(place, crawlOptions(app, options), {
      known: known.map(toKnown),
      async onPage(page) {
        if (await reader.hasNoText(page)) return { reason: 'no_text' };
        const { address, status, title } = page;
        pages.push({ address, status, title });
        return undefined;
      },
      remember: () => Promise.resolve(),
      now: () => app.clock.now(),
      signal,
      ...(onProgress && { onProgress }),
    });
  } finally {
    await reader.close();
  }
  // What was gone before and was not taken back.
  const met = new Set(pages.map(({ address }) => address));
  for (const { address, isPage, batchId } of known) {
    if (isPage || batchId === null || met.has(address)) continue;
    pages.push({ address, status: 'gone', title: null });
  }
  return { pages, report };
}
