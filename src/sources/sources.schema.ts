import { z } from 'zod';
import { visibilities } from '../platform/actor.js';
import { presenter } from '../platform/wire-names.js';
import {
  noOptions,
  policies,
  runStatuses,
  sourceKinds,
  type Source,
  type SourceRun,
} from './source.js';

const counts = z.object({
  new: z.number(),
  changed: z.number(),
  moved: z.number().describe('Pages at another address than before.'),
  unchanged: z.number(),
  gone: z.number().describe('Pages or files that the source no longer has.'),
  failed: z.number().describe('Pages or files that could not be read or taken.'),
  published: z.number().describe('Entries that were published by the policy.'),
  removed: z.number().describe('Documents that were removed because they are gone.'),
});

const documentReply = z.object({
  status: z.enum(['new', 'changed', 'moved', 'gone']),
  address: z.string().describe('The address of a page, or the name of a file.'),
  moved_from: z.string().nullable().describe('The address before; null unless it has moved.'),
  batch_id: z.string().describe('Its last reading, with its drafts.'),
});

const presentDocument = presenter(documentReply);

export const sourceRunReply = z
  .object({
    id: z.number(),
    source_id: z.number(),
    status: z.enum(runStatuses),
    counts: counts.describe('Pages or files, besides `published`.'),
    left_out: z
      .array(
        z.object({
          address: z.string().describe('The address of a page, or the path of a file.'),
          reason: z
            .string()
            .describe('e.g. robots, noindex, sign_in, client_rendered, http_status.'),
          detail: z.string().nullable(),
        }),
      )
      .describe('The first 200 that were left out.'),
    left_out_counts: z
      .record(z.string(), z.number())
      .describe('All that were left out, by reason.'),
    documents: z.array(documentReply).describe('The first 200 that are not as they were.'),
    ended_by: z
      .string()
      .nullable()
      .describe('What ended the run early: pages, bytes, time, failures or cancelled.'),
    note: z.string().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    started_at: z.string().describe('ISO 8601, UTC.'),
    ended_at: z.string().nullable(),
  })
  .meta({ id: 'SourceRun' });

const presentRun = presenter(sourceRunReply);

export function presentSourceRun(run: SourceRun): z.output<typeof sourceRunReply> {
  const { report, errorCode, errorMessage } = run;
  return presentRun({
    ...run,
    ...report,
    // The reasons are words of the wire, not names of fields.
    leftOut: report.leftOut.map(({ detail = null, ...one }) => ({ ...one, detail })),
    documents: report.documents.map(presentDocument),
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
    startedAt: run.createdAt,
  });
}

const patterns = z.array(z.string().min(1).max(500)).max(100);
const nullableNumber = (most: number, about: string) =>
  z.number().int().min(1).max(most).nullable().describe(about);
const rate = z
  .number()
  .min(0.01)
  .max(1000)
  .nullable()
  .describe('Requests per second at most; null for 2. A site may ask for fewer.');

const fields = {
  name: z
    .string()
    .min(1)
    .max(100)
    .describe('Also the stated source of its documents: `assistant ingest --source`.'),
  policy: z
    .enum(policies)
    .describe(
      'review: all that a run brings waits for a person. publish_changes: new versions of published entries replace them. publish: new pieces are published too, and what is gone is taken back. Entries that a person edited always wait.',
    ),
  visibility: z.enum(visibilities).nullable().describe('Null: the app’s default.'),
  every_minutes: nullableNumber(525_600, 'Minutes between two runs; null: only when asked for.'),
  report_to: z
    .number()
    .int()
    .min(1)
    .nullable()
    .describe(
      'The id of the user who gets a report by mail of each run that brought something; null for nobody. Admins may name others than themselves.',
    ),
  include: patterns.describe('Only what matches one of these patterns; empty for all.'),
  exclude: patterns.describe('Nothing that matches one of these patterns.'),
  depth: nullableNumber(100, 'The most links from the start address; null for 5.'),
  most_pages: nullableNumber(100_000, 'The most pages that are asked for; null for 1,000.'),
  requests_per_second: rate,
  render: z
    .boolean()
    .describe(
      'Whether a browser runs the scripts of pages that are empty without them, if the operator has named one (`sources.browser`).',
    ),
};

export const sourceReply = z
  .object({
    id: z.number(),
    app_id: z.number(),
    domain: z.string().nullable(),
    kind: z.enum(sourceKinds),
    place: z.string().describe('The address of a website, or the path of a folder.'),
    ...fields,
    is_running: z.boolean(),
    next_run_at: z.string().nullable(),
    last_run: sourceRunReply.nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Source' });

const address = z.string().min(1).max(1000).describe('The address where reading begins.');

export const newSourceBody = z
  .strictObject({
    ...fields,
    address,
    app_id: z.number().int().min(1),
    domain: z.string().min(1).max(253),
  })
  .partial()
  .required({ name: true, address: true });

export const sourceChangeBody = z.strictObject({ ...fields, address }).partial();

/** A source with its last run. */
export interface SourceWithRun extends Source {
  lastRun: SourceRun | null;
  isRunning: boolean;
}

const present = presenter(sourceReply);

export function presentSource(source: SourceWithRun): z.output<typeof sourceReply> {
  const { lastRun, options } = source;
  return present({
    ...source,
    ...noOptions,
    ...options,
    lastRun: lastRun === null ? null : presentSourceRun(lastRun),
  });
}

/** What the record of changes keeps of a source. */
export function factsOfSource({ options, ...source }: Source): object {
  const { name, kind, place, appId, domain, visibility, policy, everyMinutes, reportTo } = source;
  const { include, exclude, depth, mostPages, requestsPerSecond, render } = options;
  return {
    name,
    kind,
    place,
    app_id: appId,
    domain,
    visibility,
    policy,
    every_minutes: everyMinutes,
    report_to: reportTo,
    include,
    exclude,
    depth,
    most_pages: mostPages,
    requests_per_second: requestsPerSecond,
    render,
  };
}
