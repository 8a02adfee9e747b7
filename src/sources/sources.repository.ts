import { randomUUID } from 'node:crypto';
import type { App, Store, WithDb } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { type Source, type SourceRun, sourceRuns, sources } from './source.js';

type Leasing = Pick<App, 'db' | 'clock' | 'config'>;

/** A source that this process runs. Only the holder of the token may end the run. */
export interface LeasedSource extends Source {
  leaseToken: string;
}

/** The runs of a source that are kept. */
const keptRuns = 50;

export async function pageOfSources(
  app: WithDb,
  organizationId: number,
  page: Page,
): Promise<Paged<Source>> {
  const query = app.db.read('sources').where({ organization_id: organizationId });
  return sources.page(query, [{ column: 'name' }, { column: 'id' }], page);
}

/** Takes the source whose run is due longest, if no process runs it, so that several servers run each once. */
export async function claimDueSource(app: Leasing): Promise<LeasedSource | undefined> {
  const now = timestamp(app.clock);
  const due = (app: WithDb) =>
    free(app, now).where('next_run_at', '<=', now).orderBy(['next_run_at', 'id']);
  // Look without a lock first: usually nothing is due.
  if ((await due(app).first('id')) === undefined) return undefined;
  return claim(app, due);
}

/** Takes a source for a run that somebody asked for; undefined while a process runs it. */
export function claimSource(
  app: Leasing,
  organizationId: number,
  id: number,
): Promise<LeasedSource | undefined> {
  const own = { organization_id: organizationId, id };
  return claim(app, (app) => free(app, timestamp(app.clock)).where(own));
}

/** @param wanted the query, in the transaction that leases the row */
async function claim(
  app: Leasing,
  wanted: (app: Leasing) => ReturnType<typeof free>,
): Promise<LeasedSource | undefined> {
  return inTransaction(app, async (app) => {
    const { dialect, write } = app.db;
    await dialect.beginClaim(write);
    const found = await sources.first(dialect.passingLocked(wanted(app)));
    if (found === undefined) return undefined;
    const leaseToken = randomUUID();
    const leaseExpiresAt = timestamp(app.clock, app.config.sources.lease_ms);
    await write('sources')
      .where({ id: found.id })
      .update({ lease_token: leaseToken, lease_expires_at: leaseExpiresAt });
    return { ...found, leaseToken, leaseExpiresAt };
  });
}

function free(app: WithDb, now: string) {
  return app.db
    .read('sources')
    .whereRaw('(lease_expires_at is null or lease_expires_at <= ?)', [now]);
}

/** Extends the lease. Returns false when the source was deleted or another process has taken it. */
export async function renewSource(app: Leasing, source: LeasedSource): Promise<boolean> {
  return updateHeld(app, source, {
    lease_expires_at: timestamp(app.clock, app.config.sources.lease_ms),
  });
}

/**
 * Ends the lease. The next run is due after the interval of the source, as it is now; earlier if something made it due
 * during the run.
 */
export async function releaseSource(app: Leasing, source: LeasedSource): Promise<void> {
  const now = await sources.find(app, { id: source.id });
  const everyMs = (now?.everyMinutes ?? 0) * 60_000;
  await updateHeld(app, source, {
    lease_token: null,
    lease_expires_at: null,
    next_run_at:
      now !== undefined && now.nextRunAt !== source.nextRunAt
        ? now.nextRunAt
        : everyMs === 0
          ? null
          : timestamp(app.clock, everyMs),
  });
}

/** The folders with an interval, of all organizations. */
export async function findScheduledFolders(app: WithDb): Promise<Source[]> {
  const query = app.db.read('sources').where({ kind: 'folder' }).whereNotNull('every_minutes');
  return sources.all(query.orderBy('id'));
}

/** Makes a source due now that has an interval. */
export async function makeDue(app: Store, id: number): Promise<void> {
  const now = timestamp(app.clock);
  await app.db
    .write('sources')
    .where({ id })
    .whereNotNull('every_minutes')
    .update({ next_run_at: now });
}

/** Gives a source back whose run was cut short, to be run again soon. */
export async function giveBackSource(app: Leasing, source: LeasedSource): Promise<void> {
  const free = { lease_token: null, lease_expires_at: null, next_run_at: timestamp(app.clock) };
  await updateHeld(app, source, free);
}

async function updateHeld(
  app: WithDb,
  { id, leaseToken }: LeasedSource,
  change: Record<string, string | null>,
): Promise<boolean> {
  const held = app.db.write('sources').where({ id, lease_token: leaseToken });
  return (await held.update(change)) === 1;
}

/** The runs of a source, newest first. */
export async function pageOfRuns(
  app: WithDb,
  sourceId: number,
  page: Page,
): Promise<Paged<SourceRun>> {
  const query = app.db.read('source_runs').where({ source_id: sourceId });
  return sourceRuns.page(query, [{ column: 'id', order: 'desc' }], page);
}

/** The last run of each source, by the source's number. */
export async function findLastRuns(
  app: WithDb,
  sourceIds: readonly number[],
): Promise<Map<number, SourceRun>> {
  const { read } = app.db;
  const last = read('source_runs')
    .whereIn('source_id', [...sourceIds])
    .groupBy('source_id');
  const runs = await sourceRuns.all(read('source_runs').whereIn('id', last.max('id')));
  return new Map(runs.map((run) => [run.sourceId, run]));
}

/** `overdue`: a run was due ten minutes ago, and no process makes it. */
export interface SourceState extends Pick<Source, 'id' | 'name'> {
  state: 'running' | 'failing' | 'overdue' | 'ok';
  /** When its last complete run ended; null without one. */
  readAt: string | null;
}

const overdueMs = 600_000;

/** The sources of all organizations, by name. */
export async function findSourceStates(app: Pick<App, 'db' | 'clock'>): Promise<SourceState[]> {
  const { read } = app.db;
  const now = timestamp(app.clock);
  const late = timestamp(app.clock, -overdueMs);
  const all = await sources.all(read('sources').orderBy('name').orderBy('id'));
  const lastRuns = await findLastRuns(
    app,
    all.map(({ id }) => id),
  );
  const ends: { source_id: number; at: string }[] = await read('source_runs')
    .where({ status: 'completed' })
    .groupBy('source_id')
    .select('source_id')
    .max({ at: 'ended_at' });
  const readAt = new Map(ends.map(({ source_id, at }) => [source_id, at]));
  return all.map(({ id, name, leaseExpiresAt, nextRunAt }) => {
    const { status, errorCode } = lastRuns.get(id) ?? {};
    const isFailing = status === 'failed' && errorCode !== 'interrupted';
    const state =
      (leaseExpiresAt ?? '') > now
        ? 'running'
        : nextRunAt !== null && nextRunAt < late
          ? 'overdue'
          : isFailing
            ? 'failing'
            : 'ok';
    return { id, name, state, readAt: readAt.get(id) ?? null };
  });
}

/** Ends runs whose process died, and deletes the oldest ones. */
export async function tidyRuns(app: Store, sourceId: number): Promise<void> {
  const { write, read } = app.db;
  const now = timestamp(app.clock);
  await write('source_runs').where({ source_id: sourceId, status: 'running' }).update({
    status: 'failed',
    error_code: 'interrupted',
    error_message: 'The process ended before the run did.',
    ended_at: now,
    updated_at: now,
  });
  const kept = read('source_runs').where({ source_id: sourceId }).orderBy('id', 'desc');
  const oldest = await kept.offset(keptRuns - 1).first<{ id: number } | undefined>('id');
  if (oldest === undefined) return;
  await write('source_runs').where({ source_id: sourceId }).where('id', '<=', oldest.id).delete();
}
