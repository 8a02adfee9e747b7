import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { crawlOptions, toKnown } from './bring-site.js';
import { getSource } from './manage-sources.js';
import type { RunOptions } from './run-context.js';
import { crawlSite } from './site/crawl-site.js';
import type { CrawlReport, KnownPage, SitePage } from './site/site-page.js';
import type { SourceOptions } from './source.js';
import { findPages } from './source-pages.repository.js';

/** What a run of a website would bring. */
export interface Preview {
  pages: Pick<SitePage, 'address' | 'status' | 'title'>[];
  report: CrawlReport;
}

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
  const known = (await findPages(app, id)).map(toKnown);
  return previewSite(app, actor, { place, options, known }, reading);
}

/** Reads the pages of a website without storing anything. Errors: those of crawlSite. */
export async function previewSite(
  app: App,
  actor: Actor,
  { place, options, known }: { place: string; options: SourceOptions; known: KnownPage[] },
  { signal, onProgress }: Reading,
): Promise<Preview> {
  requirePermission(actor, 'knowledge.write');
  const pages: Preview['pages'] = [];
  const report = await crawlSite(place, crawlOptions(app, options), {
    known,
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
