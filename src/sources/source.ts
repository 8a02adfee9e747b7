import type { Visibility } from '../platform/actor.js';
import { json, plain, type RecordOf, table } from '../platform/db/record.js';
import type { LeftOut, LeftOutReason } from './site/site-page.js';

export const sourceKinds = ['folder', 'site'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/**
 * What happens to what a run brings. `review`: all of it waits for a person. `publish_changes`: new versions of
 * published entries replace them, and new pieces wait. `publish`: new pieces are published too, and entries whose text is
 * gone at the source are taken back. No policy touches an entry whose text a person edited.
 */
export const policies = ['review', 'publish_changes', 'publish'] as const;
export type Policy = (typeof policies)[number];

/** What is read. `depth`, `mostPages`, `requestsPerSecond` (null for the default) and `render` are for websites. */
export interface SourceOptions {
  include: string[];
  exclude: string[];
  depth: number | null;
  mostPages: number | null;
  requestsPerSecond: number | null;
  /** True to run the scripts of pages that are empty without them. */
  render: boolean;
}

export const noOptions: SourceOptions = {
  include: [],
  exclude: [],
  depth: null,
  mostPages: null,
  requestsPerSecond: null,
  render: false,
};

export const sources = table('sources', {
  id: plain<number>(),
  organizationId: plain<number>(),
  appId: plain<number>(),
  domain: plain<string | null>(),
  /** Also the stated source of the documents (`assistant ingest --source`). */
  name: plain<string>(),
  kind: plain<SourceKind>(),
  /** The absolute path of a folder, or the address of a website. */
  place: plain<string>(),
  options: json<SourceOptions>(),
  visibility: plain<Visibility | null>(),
  policy: plain<Policy>(),
  /** Null: only when somebody asks for it. */
  everyMinutes: plain<number | null>(),
  /** The number of the user who gets a report of each run by mail; null for nobody. */
  reportTo: plain<number | null>(),
  /** Null while no run is due. */
  nextRunAt: plain<string | null>(),
  leaseToken: plain<string | null>(),
  leaseExpiresAt: plain<string | null>(),
  createdAt: plain<string>(),
  updatedAt: plain<string>(),
});

/** A folder or website that is read again and again. */
export type Source = RecordOf<typeof sources>;

export const runStatuses = ['running', 'completed', 'failed'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Pages or files of a run. */
export interface RunCounts {
  new: number;
  changed: number;
  /** At another address than before, changed or not. */
  moved: number;
  unchanged: number;
  /** At the source no longer, whether their entries were taken back or not. */
  gone: number;
  /** Not read or not taken. */
  failed: number;
  /** Entries that were published by the policy. */
  published: number;
  /** Documents that were removed because they are gone. */
  removed: number;
}

/** A page or file that a run found new, changed, moved or gone. */
export interface RunDocument {
  status: 'new' | 'changed' | 'moved' | 'gone';
  /** The address of a page, or the name of a file. */
  address: string;
  /** The address before; null unless it has moved. */
  movedFrom: string | null;
  /** Its last reading, with its drafts. */
  batchId: string;
}

/** The most listed documents of a report, and the most of what was left out. */
export const mostListed = 200;

export interface RunReport {
  /** The first of what was left out, with the reasons. */
  leftOut: LeftOut[];
  leftOutCounts: Partial<Record<LeftOutReason, number>>;
  /** The first that are not as they were. */
  documents: RunDocument[];
  /** Why the run ended early; null when it did not. */
  endedBy: string | null;
  /** A remark, as on documents that were not removed because they are more than those that stay. */
  note: string | null;
}

export const sourceRuns = table('source_runs', {
  id: plain<number>(),
  organizationId: plain<number>(),
  sourceId: plain<number>(),
  status: plain<RunStatus>(),
  counts: json<RunCounts>(),
  report: json<RunReport>(),
  errorCode: plain<string | null>(),
  errorMessage: plain<string | null>(),
  endedAt: plain<string | null>(),
  createdAt: plain<string>(),
  updatedAt: plain<string>(),
});

export type SourceRun = RecordOf<typeof sourceRuns>;

export const noCounts: RunCounts = {
  new: 0,
  changed: 0,
  moved: 0,
  unchanged: 0,
  gone: 0,
  failed: 0,
  published: 0,
  removed: 0,
};

export const emptyReport: RunReport = {
  leftOut: [],
  leftOutCounts: {},
  documents: [],
  endedBy: null,
  note: null,
};
