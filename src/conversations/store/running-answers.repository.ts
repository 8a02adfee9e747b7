import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';

/** In milliseconds: a command that makes an answer renews its claim within this time; a killed one does not. */
export const claimMs = 30_000;

interface ClaimRow {
  question_id: number;
  lease_expires_at: string;
}

const claims = (app: Store) => app.db.write<ClaimRow>('running_answers');

/** Registers, inside the transaction that stores a question, that a command makes its answer. */
export async function insertClaim(app: Store, questionId: number): Promise<void> {
  const lease_expires_at = timestamp(app.clock, claimMs);
  await claims(app).insert({ question_id: questionId, lease_expires_at });
}

export async function renewClaim(app: Store, questionId: number): Promise<void> {
  const lease_expires_at = timestamp(app.clock, claimMs);
  await claims(app).where({ question_id: questionId }).update({ lease_expires_at });
}

/** Also deletes the claims of killed commands, because nothing else does. */
export async function deleteClaim(app: Store, questionId: number): Promise<void> {
  await claims(app)
    .where({ question_id: questionId })
    .orWhere('lease_expires_at', '<', timestamp(app.clock))
    .delete();
}

/** Those of the questions that a command is answering. */
export async function findClaimed(app: Store, questionIds: number[]): Promise<number[]> {
  return app.db
    .read<ClaimRow>('running_answers')
    .where(app.db.dialect.isAmong(app.db.read, 'question_id', questionIds))
    .where('lease_expires_at', '>', timestamp(app.clock))
    .pluck('question_id');
}
