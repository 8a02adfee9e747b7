import {
  countOf,
  countUpTo,
  selectPage,
  type Order,
  type Page,
  type Paged,
} from '../../platform/db/select-page.js';
import type { App, WithDb } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { toBatch, type BatchRow } from './batch-row.js';
import type { Batch, BatchStatus } from './batch.js';
import { isOfEndedProcess } from './lease.js';
import { exceptWithoutText } from './without-text.js';

/** Conditions of a list. Undefined ones do not apply. */
export interface BatchFilter {
  /** `failed`: those that a person should see, so without pages that have no text of their own. */
  status?: BatchStatus | undefined;
  appId?: number | undefined;
  /** A part of the file name. */
  name?: string | undefined;
  source?: string | undefined;
  statuses?: readonly BatchStatus[] | undefined;
  /** Sent from here on, and until there; null for no end. */
  from?: string | undefined;
  to?: string | null | undefined;
}

const newestFirst: Order[] = [
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
];

/** A page of the organization's matching batches, newest first unless `oldestFirst`. */
export async function listBatchesOf(
  app: WithDb,
  organizationId: number,
  { page, limit, oldestFirst = false, ...filter }: Page & BatchFilter & { oldestFirst?: boolean },
): Promise<Paged<Batch>> {
  const query = batchesMatching(app, organizationId, filter);
  const order = oldestFirst
    ? newestFirst.map((one) => ({ ...one, order: 'asc' as const }))
    : newestFirst;
  return selectPage<BatchRow, Batch>(query, order, { page, limit }, toBatch);
}

/** The place of a batch in the list of batches, newest first. */
export interface BatchPlace {
  createdAt: string;
  id: string;
}

/** The organization's next matching batches after a place, newest first: at most `limit`. */
export async function findBatchesAfter(
  app: WithDb,
  organizationId: number,
  filter: BatchFilter,
  { after, limit }: { after: BatchPlace | undefined; limit: number },
): Promise<Batch[]> {
  const query = batchesMatching(app, organizationId, filter);
  if (after !== undefined) {
    void query.whereRaw('(created_at, id) < (?, ?)', [after.createdAt, after.id]);
  }
  const rows = (await query.orderBy(newestFirst).limit(limit).select('*')) as BatchRow[];
  return rows.map(toBatch);
}

/** The number of matching batches; `most` when there are at least that many. */
export async function countBatches(
  app: WithDb,
  organizationId: number,
  filter: BatchFilter,
  most: number,
): Promise<number> {
  return countUpTo(app, batchesMatching(app, organizationId, filter), most);
}

/** A query of the organization's matching batches. */
export function batchesMatching(app: WithDb, organizationId: number, filter: BatchFilter) {
  const { status, statuses, appId, name, source, from, to = null } = filter;
  const query = app.db.read('ingestion_batches').where({ organization_id: organizationId });
  if (status !== undefined) void query.where({ status });
  if (status === 'failed') exceptWithoutText(query, app.db.read);
  if (statuses !== undefined) void query.whereIn('status', [...statuses]);
  if (source !== undefined) void query.where({ source });
  if (from !== undefined) void query.where('created_at', '>=', from);
  if (to !== null) void query.where('created_at', '<=', to);
  if (appId !== undefined) void query.where({ app_id: appId });
  if (name !== undefined) {
    const part = `%${name.replaceAll(/[\\%_]/g, '\\$&')}%`;
    void query.whereRaw("lower(file_name) like lower(?) escape '\\'", [part]);
  }
  return query;
}

export async function countBatchesOfApp(app: WithDb, appId: number): Promise<number> {
  return countOf(app.db.read('ingestion_batches').where({ app_id: appId }));
}

/** The number of batches by status in the whole installation, for the operator's graphs. */
export async function countBatchesByStatus(
  app: WithDb,
): Promise<{ status: string; count: number }[]> {
  const rows = await app.db
    .read<BatchRow>('ingestion_batches')
    .groupBy('status')
    .select('status')
    .count<{ status: string; count: number | string }[]>({ count: '*' });
  return rows.map(({ status, count }) => ({ status, count: Number(count) }));
}

/** The batches of the whole installation that a worker holds now: a process that has ended holds nothing. */
export async function countHeldBatches(app: Pick<App, 'db' | 'clock'>): Promise<number> {
  const held = await app.db
    .read<BatchRow>('ingestion_batches')
    .where({ status: 'processing' })
    .where('lease_expires_at', '>', timestamp(app.clock))
    .select('lease_token');
  return held.filter(({ lease_token }) => !isOfEndedProcess(lease_token)).length;
}
