import type { ExitCode, Session } from '../platform/cli/cli.js';
import { createProgress } from '../platform/cli/progress.js';
import { printable } from '../platform/text/printable.js';
import { describePreview, describeRun, presentPreview } from './describe-source.js';
import type { Preview } from './preview-source.js';
import type { RunOptions } from './run-context.js';
import type { SourceRun } from './source.js';
import { presentSourceRun } from './sources.schema.js';

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

/** Reports a run on the command line. Returns 1 for a failed one, and 5 when some of it failed. */
export async function reportRun(
  session: Session,
  how: { quiet?: boolean | undefined; unit: string },
  work: (reading: Reading) => Promise<SourceRun>,
): Promise<ExitCode> {
  const run = await withProgress(session, how, work);
  session.out.result(presentSourceRun(run), printable(describeRun(run)));
  if (run.status === 'failed') return 1;
  return run.counts.failed > 0 ? 5 : 0;
}

/** Reports on the command line what a run would bring. */
export async function reportPreview(
  session: Session,
  { quiet }: { quiet?: boolean | undefined },
  work: (reading: Reading) => Promise<Preview>,
): Promise<ExitCode> {
  const preview = await withProgress(session, { quiet, unit: 'pages' }, work);
  session.out.result(presentPreview(preview), printable(describePreview(preview)));
  session.out.note('(dry run) Nothing was changed.');
  return 0;
}
