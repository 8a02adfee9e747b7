import { setMaxListeners } from 'node:events';
import { recordChange } from '../audit/record-change.js';
import { requirePermission, type Actor, type Member } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError, codeOf, messageOf } from '../platform/errors.js';
import { openLocalTarget } from '../ingestion/bulk/local-target.js';
import { bringFolder } from './bring-folder.js';
import { bringSite } from './bring-site.js';
import { mailReport } from './mail-report.js';
import type { Brought, RunContext, RunOptions } from './run-context.js';
import { emptyReport, noCounts, type SourceRun, sourceRuns } from './source.js';
import {
  claimSource,
  findLastRuns,
  giveBackSource,
  type LeasedSource,
  releaseSource,
  renewSource,
  tidyRuns,
} from './sources.repository.js';

/** Reads a source now, in this process. Errors: `conflict` while a process reads it. */
export async function runSourceNow(
  app: App,
  actor: Actor,
  { id, name }: { id: number; name: string },
  options: RunOptions,
): Promise<SourceRun> {
  const member = requirePermission(actor, 'knowledge.write');
  const source = await claimSource(app, member.organizationId, id);
  if (source === undefined) {
    const sentence = `${name} is being read just now, by a server or another command. What came of it: assistant sources show ${name}`;
    throw new AppError('conflict', sentence);
  }
  return runSource(app, member, source, options);
}

/**
 * Reads a source that this process has claimed, and records the run. A run that fails is recorded with its reason; the
 * next one is due after the interval. A run that is stopped is due again at once.
 */
export async function runSource(
  app: App,
  actor: Member,
  source: LeasedSource,
  options: RunOptions,
): Promise<SourceRun> {
  const { organizationId, id: sourceId } = source;
  await tidyRuns(app, sourceId);
  const last = (await findLastRuns(app, [sourceId])).get(sourceId);
  const isResumed = last?.status === 'failed';
  const run = await sourceRuns.insert(app, {
    organizationId,
    sourceId,
    status: 'running',
    counts: noCounts,
    report: emptyReport,
    errorCode: null,
    errorMessage: null,
    endedAt: null,
  });
  const stopped = new AbortController();
  const signal = AbortSignal.any([options.signal, stopped.signal]);
  // Each document under way listens to it.
  setMaxListeners(0, signal);
  const giveUp = (trouble: Error) => stopped.abort(trouble);
  const stopRenewing = keepLease(app, source, giveUp);
  let ended: Partial<SourceRun>;
  try {
    ended = {
      status: 'completed',
      ...(await bring({ ...options, app, actor, source, isResumed, signal }, options.work, giveUp)),
    };
  } catch (thrown) {
    // Of a source that was deleted meanwhile, nothing can be stored.
    const isHeld = stopped.signal.aborted || (await renewSource(app, source));
    const error: unknown = stopped.signal.aborted
      ? stopped.signal.reason
      : isHeld
        ? thrown
        : noLonger();
    ended = { status: 'failed', ...describeFailure(app, error, options.signal) };
  } finally {
    stopRenewing();
  }
  const whole = { ...run, ...ended, endedAt: timestamp(app.clock) };
  const { status, counts, errorCode } = whole;
  await inTransaction(app, async (app) => {
    await sourceRuns.change(app, run.id, whole);
    await recordChange(app, actor, {
      organizationId,
      action: 'source.run',
      subject: `source:${sourceId}`,
      after: {
        run: run.id,
        status,
        ...counts,
        ...(errorCode === null ? {} : { error: errorCode }),
      },
    });
    await mailReport(app, source, whole, last);
  });
  app.jobs.wake();
  if (options.signal.aborted) await giveBackSource(app, source);
  else await releaseSource(app, source);
  return whole;
}

async function bring(
  context: RunContext,
  work: boolean,
  giveUp: (trouble: AppError) => void,
): Promise<Brought> {
  const { app, actor, source, signal } = context;
  const { appId, visibility, name } = source;
  const place = { appId, domain: source.domain ?? undefined, visibility: visibility ?? undefined };
  const wanted = { ...place, source: name, force: false };
  const target = await openLocalTarget(app, actor, wanted, { work, giveUp, signal });
  try {
    return source.kind === 'site'
      ? await bringSite(context, target)
      : await bringFolder(context, target, giveUp);
  } finally {
    await target.close();
  }
}

/** Extends the lease until the returned function is called. Gives up once another process has the source. */
function keepLease(app: App, source: LeasedSource, giveUp: (trouble: Error) => void): () => void {
  const renew = async () => {
    if (await renewSource(app, source)) return;
    giveUp(noLonger());
  };
  const timer = setInterval(
    () => {
      renew().catch((error: unknown) => app.log.warn({ err: error }, 'a lease was not renewed'));
    },
    Math.floor(app.config.sources.lease_ms / 3),
  );
  return () => clearInterval(timer);
}

function noLonger(): AppError {
  return new AppError('conflict', 'The source was deleted, or another process reads it now.');
}

function describeFailure(
  app: App,
  error: unknown,
  stopping: AbortSignal,
): Pick<SourceRun, 'errorCode' | 'errorMessage'> {
  if (stopping.aborted) {
    return { errorCode: 'interrupted', errorMessage: 'It was stopped. What it had read is kept.' };
  }
  if (error instanceof AppError) {
    return { errorCode: codeOf(error), errorMessage: messageOf(error) };
  }
  app.log.error({ err: error }, 'a source could not be read');
  return {
    errorCode: 'internal',
    errorMessage: 'It failed. The log of the server has the reason.',
  };
}
