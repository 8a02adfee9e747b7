import type { App } from '../platform/app.js';
import {
  type BackgroundWorker,
  repeatUntilStopped,
} from '../platform/workers/repeat-until-stopped.js';
import { startFolderWatcher } from './watch-folders.job.js';
import { runSource } from './run-source.js';
import { claimDueSource } from './sources.repository.js';

/**
 * Reads the sources whose time has come, until stopped, and watches folders. Several servers read each source once.
 */
export function startSourceWorkers(app: App): BackgroundWorker {
  const { at_once: lanes, poll_ms: pollMs } = app.config.sources;
  const complaint = 'sources are not read';
  const step = (signal: AbortSignal) => runDueSources(app, signal);
  const reader = repeatUntilStopped(app, { pollMs, complaint, step, lanes });
  const watcher = startFolderWatcher(app);
  return {
    async stop() {
      await Promise.all([reader.stop(), watcher.stop()]);
    },
  };
}

/** Reads the sources that are due now, one after another. Returns the number of runs. */
export async function runDueSources(
  app: App,
  signal: AbortSignal,
  { work = false }: { work?: boolean } = {},
): Promise<number> {
  for (let runs = 0; ; runs++) {
    const source = signal.aborted ? undefined : await claimDueSource(app);
    if (source === undefined) return runs;
    const { organizationId, id } = source;
    // What a schedule does is done by no person.
    const actor = { kind: 'operator', organizationId, as: `source:${id}` } as const;
    await runSource(app, actor, source, { work, prune: false, signal });
  }
}
