import { randomUUID } from 'node:crypto';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { hasEnded, thisProcess } from '../../platform/process-name.js';
import type { Lease } from './batch.js';

/** A lease of this process: others see by its name that the process has ended. */
export function newLease(app: Pick<App, 'clock' | 'config'>): Lease {
  return {
    token: `${thisProcess}.${randomUUID()}`,
    expiresAt: timestamp(app.clock, app.config.ingestion.lease_ms),
  };
}

/** True for the token of a lease whose process has certainly ended. */
export function isOfEndedProcess(token: string | null): boolean {
  return hasEnded(token?.split('.')[0] ?? '');
}
