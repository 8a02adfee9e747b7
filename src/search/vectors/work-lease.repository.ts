import { randomUUID } from 'node:crypto';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';

type Store = Pick<App, 'db' | 'clock' | 'config'>;

export interface EmbeddingWork {
  /** True when a process embeds passages now. */
  running: boolean;
  /** Why the last attempt failed; null after a success. */
  failure: string | null;
}

interface WorkRow {
  lease_token: string | null;
  lease_expires_at: string | null;
  failure: string | null;
}

/** Takes the lease to embed for this installation; undefined while another process has it. */
export async function claimWork(app: Store): Promise<string | undefined> {
  const token = randomUUID();
  const claimed = await app.db
    .write('embedding_work')
    .whereRaw('(lease_expires_at is null or lease_expires_at <= ?)', [timestamp(app.clock)])
    .update({ lease_token: token, lease_expires_at: leaseEnd(app) });
  return claimed === 0 ? undefined : token;
}

/** Renews the lease. Returns false when it was lost. */
export async function renewWork(app: Store, token: string): Promise<boolean> {
  const renewed = await app.db
    .write('embedding_work')
    .where({ lease_token: token })
    .update({ lease_expires_at: leaseEnd(app) });
  return renewed > 0;
}

export async function releaseWork(
  app: Store,
  token: string,
  failure: string | null,
): Promise<void> {
  await app.db
    .write('embedding_work')
    .where({ lease_token: token })
    .update({ lease_token: null, lease_expires_at: null, failure });
}

/** After this long without a renewal, another process may take over. */
function leaseEnd(app: Store): string {
  return timestamp(app.clock, app.config.ollama.embedding_lease_ms);
}

export async function readWork(app: Pick<App, 'db' | 'clock'>): Promise<EmbeddingWork> {
  const row = await app.db.read<WorkRow>('embedding_work').first();
  const until = row?.lease_expires_at ?? '';
  return { running: until > timestamp(app.clock), failure: row?.failure ?? null };
}
