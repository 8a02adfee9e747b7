import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { crawlOptions, toKnown } from './bring-site.js';
import { getSource } from './manage-sources.js';
import type { RunOptions } from './run-context.js';
import { crawlSite } from './site/crawl-site.js';
import type { CrawlReport, SitePage } from './site/site-page.js';
import { findPages } from './source-pages.repository.js';

/** What a run of a website would bring. */
export interface Preview {
  pages: Pick<SitePage, 'address' | 'status' | 'title'>[];
  report: CrawlReport;
}

/** Reads the pages of a website without storing anything. Errors: `not_found`; `usage` for a folder; those of crawlSite. */
export async function previewSource(
  app: App,
  actor: Actor,
  id: number,
  { signal, onProgress }: Pick<RunOptions, 'signal' | 'onProgress'>,
): Promise<Preview> {
  const source = await getSource(app, actor, id);
  const { kind, place, name, options } = source;
  if (kind === 'folder') {
    const sentence = `--dry-run is for websites. Of a folder: assistant ingest ${place} --source ${name} --dry-run`;
    throw new AppError('usage', sentence);
  }
  const pages: Preview['pages'] = [];
  const report = await crawlSite(place, crawlOptions(app, options), {
    known: (await findPages(app, id)).map(toKnown),
    onPage({ address, status, title }) {
      pages.push({ address, status, title });
      return Promise.resolve(undefined);
    },
    remember: () => Promise.resolve(),
    now: () => app.clock.now(),
    signal,
    ...(onProgress && { onProgress }),
  });
  return { pages, report };
}
