import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';

export interface AnswerClaim {
  questionId: number;
  /** The process that makes the answer. */
  holder: string;
}

interface ClaimRow {
  question_id: number;
  holder: string;
  lease_expires_at: string;
}

type Store = Pick<App, 'db' | 'clock'>;

export async function insertClaim(app: Store, claim: AnswerClaim, leaseMs: number): Promise<void> {
  await app.db.write<ClaimRow>('running_answers').insert({
    question_id: claim.questionId,
    holder: claim.holder,
    lease_expires_at: timestamp(app.clock, leaseMs),
  });
}

export async function renewClaim(app: Store, claim: AnswerClaim, leaseMs: number): Promise<void> {
  await app.db
    .write('running_answers')
    .where({ question_id: claim.questionId, holder: claim.holder })
    .update({ lease_expires_at: timestamp(app.clock, leaseMs) });
}

/** Takes away what processes that died have left, too: nobody else does. */
export async function deleteClaim(app: Store, questionId: number): Promise<void> {
  await app.db
    .write('running_answers')
    .where({ question_id: questionId })
    .orWhere('lease_expires_at', '<', timestamp(app.clock))
    .delete();
}

/** The claims on questions whose lease has not run out. */
export async function findClaims(app: Store, questionIds: number[]): Promise<AnswerClaim[]> {
  const rows = await app.db
    .read<ClaimRow>('running_answers')
    .whereRaw('question_id in (select value from json_each(?))', [JSON.stringify(questionIds)])
    .where('lease_expires_at', '>', timestamp(app.clock))
    .select('question_id', 'holder');
  return rows.map(({ question_id: questionId, holder }) => ({ questionId, holder }));
}
