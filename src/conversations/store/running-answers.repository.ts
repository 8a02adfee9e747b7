import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';

/** In milliseconds: a process that makes an answer renews its claim within this time; a killed one does not. */
export const claimMs = 30_000;

/** How long a reader at another server is waited for after it has asked, in milliseconds. */
const watchMs = 5000;

interface ClaimRow {
  question_id: number;
  lease_expires_at: string;
  watched_at: string | null;
  /** Who asked (nameOf). Null in claims of an older version. */
  asker: string | null;
}

/** Whether other processes must know of an answer: a server alone knows its own. */
export function isClaimed({ db }: Store, channel: string): boolean {
  return channel === 'cli' || db.dialect.name === 'postgres';
}

/**
 * Changes of claims outside of transactions: one of serializable isolation that reads or deletes any claim would fail
 * for whoever inserts another one meanwhile, which every question does.
 */
const claims = ({ db }: Store) => (db.aside ?? db.write)<ClaimRow>('running_answers');

/** Registers, inside the transaction that stores a question, that this process makes its answer. */
export async function insertClaim(app: Store, questionId: number, asker: string): Promise<void> {
  const lease_expires_at = timestamp(app.clock, claimMs);
  const claim = { question_id: questionId, lease_expires_at, asker };
  await app.db.write<ClaimRow>('running_answers').insert(claim);
}

/** Whether somebody reads the answers to these questions at another server. Those that were cancelled there are missing. */
export async function renewClaims(
  app: Store,
  questionIds: number[],
): Promise<Map<number, { isWatched: boolean }>> {
  const among = app.db.dialect.isAmong(app.db.read, 'question_id', questionIds);
  const rows = await claims(app)
    .where(among)
    .update({ lease_expires_at: timestamp(app.clock, claimMs) })
    .returning(['question_id', 'watched_at']);
  const since = timestamp(app.clock, -watchMs);
  return new Map(
    rows.map(({ question_id, watched_at }) => [
      question_id,
      { isWatched: (watched_at ?? '') > since },
    ]),
  );
}

/** Tells the process that makes an answer that somebody reads it here. Undefined when none makes it. */
export async function watchClaim(
  app: Store,
  questionId: number,
): Promise<Pick<ClaimRow, 'asker'> | undefined> {
  const [claim] = await claims(app)
    .where({ question_id: questionId })
    .where('lease_expires_at', '>', timestamp(app.clock))
    .update({ watched_at: timestamp(app.clock) })
    .returning('asker');
  return claim;
}

/** Also deletes the claims of killed processes, because nothing else does. */
export async function deleteClaim(app: Store, questionId: number): Promise<void> {
  await claims(app)
    .where({ question_id: questionId })
    .orWhere('lease_expires_at', '<', timestamp(app.clock))
    .delete();
}

/** Those of the questions that a process with a claim is answering. */
export async function findClaimed(app: Store, questionIds: number[]): Promise<number[]> {
  return app.db
    .read<ClaimRow>('running_answers')
    .where(app.db.dialect.isAmong(app.db.read, 'question_id', questionIds))
    .where('lease_expires_at', '>', timestamp(app.clock))
    .pluck('question_id');
}
