import { describeGone, describeNext } from '../ingestion/bulk/ingest-report.js';
import { countWaiting } from '../ingestion/review/approve-waiting.js';
import { getBareBatch } from '../ingestion/review/review-batch.js';
import type { ExitCode, Session } from '../platform/cli/cli.js';
import { createProgress, describeSeconds } from '../platform/cli/progress.js';
import { printable } from '../platform/text/printable.js';
import { describeCounts, describePreview, describeRun, presentPreview } from './describe-source.js';
import type { Preview } from './preview-source.js';
import type { RunOptions } from './run-context.js';
import type { SourceRun } from './source.js';
import { presentSourceRun, type SourceWithRun } from './sources.schema.js';

type Reading = Pick<RunOptions, 'signal' | 'onProgress'>;

/** Runs `work` with a bar of progress on the terminal. */
async function withProgress<T>(
  { terminal, out, interrupted: signal }: Session,
  { quiet = false, unit }: { quiet?: boolean | undefined; unit: string },
  work: (reading: Reading) => Promise<T>,
): Promise<T> {
  const progress = createProgress(terminal, out.json || quiet);
  const onProgress = (done: number, waiting: number) => progress.whole(done, done + waiting, unit);
  try {
    return await work({ signal, onProgress });
  } finally {
    progress.clear();
  }
}

/** In milliseconds: an earlier run is told of when it was lately. */
const lately = 3_600_000;

/**
 * Reports a run of a source on the command line, and the next step. `before`: its last run, which may have been made by
 * a server meanwhile. Returns 1 for a failed one, and 5 when some of it failed.
 */
export async function reportRun(
  session: Session,
  {
    source: { name, kind, lastRun: before },
    ...how
  }: { quiet?: boolean | undefined; source: Pick<SourceWithRun, 'name' | 'kind' | 'lastRun'> },
  work: (reading: Reading) => Promise<SourceRun>,
): Promise<ExitCode> {
  const { app, actor, out } = session;
  const unit = kind === 'site' ? 'pages' : 'files';
  const run = await withProgress(session, { ...how, unit }, work);
  out.result(presentSourceRun(run), printable(describeRun(run)));
  if (run.status === 'failed') return 1;
  if (!out.json) {
    if (!bringsSomething(run) && before !== null && bringsSomething(before)) {
      const age = app.clock.now().getTime() - Date.parse(before.createdAt);
      const by = (await isScheduled(session, before)) ? ' by the server' : '';
      const when = describeSeconds(Math.max(0, age / 1000));
      if (age < lately) out.note(`It was read ${when} ago${by}: ${describeCounts(before.counts)}`);
    }
    const gone = run.counts.gone - run.counts.removed;
    if (gone > 0 && run.report.note === null) out.note(describeGone(gone, 'at the source'));
    const { batches } = await countWaiting(app, actor, { source: name });
    if (batches.size > 0) out.note(describeNext(batches.size, { source: name }));
  }
  return run.counts.failed > 0 ? 5 : 0;
}

function bringsSomething({ counts }: SourceRun): boolean {
  return counts.new + counts.changed + counts.moved + counts.gone > 0;
}

/** True when the schedule of the source made a run, and no person: its documents say so. */
async function isScheduled({ app, actor }: Session, { report }: SourceRun): Promise<boolean> {
  const [{ batchId } = {}] = report.documents;
  if (batchId === undefined) return false;
  const batch = await getBareBatch(app, actor, batchId).catch(() => undefined);
  return batch?.createdBy.startsWith('source:') === true;
}

/** Reports on the command line what a run would bring. */
export async function reportPreview(
  session: Session,
  { quiet }: { quiet?: boolean | undefined },
  work: (reading: Reading) => Promise<Preview>,
): Promise<ExitCode> {
  const preview = await withProgress(session, { quiet, unit: 'pages' }, work);
  session.out.result(presentPreview(preview), printable(describePreview(preview)));
  const gone = preview.pages.filter(({ status }) => status === 'gone').length;
  if (gone > 0) session.out.note(describeGone(gone, 'at the source'));
  session.out.note('(dry run) Nothing was changed.');
  return 0;
}
