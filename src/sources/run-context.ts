import type { Member } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { RunCounts, RunReport } from './source.js';
import type { LeasedSource } from './sources.repository.js';

export interface RunOptions {
  /** True when this process reads the documents itself; false to wait for a server that does. */
  work: boolean;
  /** True to take back what is gone, whatever the policy. */
  prune: boolean;
  onProgress?: (done: number, waiting: number) => void;
  signal: AbortSignal;
}

/** What reading a source needs to know. */
export interface RunContext extends Pick<RunOptions, 'prune' | 'onProgress' | 'signal'> {
  app: App;
  actor: Member;
  source: LeasedSource;
  /** True when the run before did not end: what it read may still wait for the policy. */
  isResumed: boolean;
}

/** What a run found, for its record. */
export interface Brought {
  counts: RunCounts;
  report: RunReport;
}
