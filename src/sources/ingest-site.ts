import type { ExitCode, Session } from '../platform/cli/cli.js';
import { AppError } from '../platform/errors.js';
import type { Visibility } from '../platform/actor.js';
import { appIdNamed, hostNamed } from '../tenancy/name-site.js';
import { createSource, deleteSource, requestRun, updateSource } from './manage-sources.js';
import { listSources } from './read-sources.js';
import { previewSite, previewSource } from './preview-source.js';
import { reportPreview, reportRun } from './report-run.js';
import { runSourceNow } from './run-source.js';
import { startAddress } from './site/visit-page.js';
import { noOptions, type SourceOptions } from './source.js';
import { presentSource } from './sources.schema.js';
import { allOf } from '../platform/db/select-page.js';

/** The options of `assistant ingest`, as far as they hold for a website. */
export interface IngestSiteOptions {
  app?: string | undefined;
  domain?: string | undefined;
  visibility?: Visibility | undefined;
  source?: string | undefined;
  include?: string[] | undefined;
  exclude?: string[] | undefined;
  depth?: number | undefined;
  mostPages?: number | undefined;
  rate?: number | undefined;
  render?: boolean | undefined;
  approve?: boolean | undefined;
  prune?: boolean | undefined;
  wait: boolean;
  dryRun?: boolean | undefined;
  quiet?: boolean | undefined;
}

/**
 * Ingests a website as a source, which is created if there is none of its name; the name is that of --source, else of
 * the address. Given options become those of the source. Errors: `usage`; those of a run.
 */
export async function ingestSite(
  session: Session,
  address: string,
  given: IngestSiteOptions,
): Promise<ExitCode> {
  const { app, actor, out } = session;
  const url = startAddress(address);
  if (url === undefined) throw new AppError('usage', `${address} is no address of a website.`);
  const place = url.href;
  const name = given.source ?? nameOf(url);
  const { items } = await listSources(app, actor, allOf);
  const known = items.find((one) => one.name === name);
  if (known !== undefined && known.place !== place) {
    const sentence = `The source ${name} reads ${known.place}. Name another one for ${place} with --source.`;
    throw new AppError('conflict', sentence);
  }
  const { include, exclude, depth, mostPages, rate: requestsPerSecond, render } = given;
  const { visibility, wait } = given;
  const options = { include, exclude, depth, mostPages, requestsPerSecond, render };
  if (given.dryRun === true) {
    return reportPreview(session, given, (reading) =>
      known === undefined
        ? previewSite(app, actor, { place, options: withDefaults(options), known: [] }, reading)
        : previewSource(app, actor, known.id, reading),
    );
  }
  const policy = given.approve === true ? ('publish' as const) : undefined;
  const fields = { ...options, visibility, policy };
  const source =
    known === undefined
      ? await createSource(app, actor, {
          ...{ ...fields, name, address: place },
          appId: await appIdNamed(app, actor, given.app),
          domain: await hostNamed(app, actor, given.domain),
        })
      : await updateSource(app, actor, known.id, fields);
  const tellOfNew = () => {
    if (known !== undefined) return;
    out.note(`Created the source ${name}. Read it again with: assistant sources run ${name}`);
  };
  if (!wait) {
    tellOfNew();
    const asked = await requestRun(app, actor, source.id);
    out.result(presentSource(asked), `A running server reads ${name}.`);
    return 0;
  }
  const prune = given.prune === true;
  return reportRun(session, { quiet: given.quiet, source }, async (reading) => {
    const run = await runSourceNow(app, actor, source, { ...reading, prune, work: true });
    // A wrong address leaves no source behind.
    const isUseless = run.status === 'failed' && run.errorCode !== 'interrupted';
    if (known === undefined && isUseless && run.counts.new === 0) {
      await deleteSource(app, actor, source.id);
    } else tellOfNew();
    return run;
  });
}

/** `docs.example.com - guide` */
function nameOf({ hostname, pathname }: URL): string {
  const path = pathname.split('/').filter((part) => part !== '' && !/\.[a-z]+$/i.test(part));
  return [hostname, ...path].join(' - ').slice(0, 100).trim();
}

function withDefaults(given: {
  [K in keyof SourceOptions]: SourceOptions[K] | undefined;
}): SourceOptions {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...noOptions, ...Object.fromEntries(set) };
}
