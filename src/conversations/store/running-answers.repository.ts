import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';

export interface AnswerClaim {
  questionId: number;
  /** The process that makes the answer. */
  holder: string;
}

interface ClaimRow {
  question_id: number;
  holder: string;
  lease_expires_at: string;
  cancel_requested_at?: string | null;
  watched_at?: string | null;
  events?: string | null;
  asked_by?: string | null;
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

/** Asks the process that makes the answer to end it; nothing where none does. */
export async function requestCancel(app: Store, questionId: number): Promise<void> {
  await app.db
    .write('running_answers')
    .where({ question_id: questionId })
    .update({ cancel_requested_at: timestamp(app.clock) });
}

/** For how long a reader counts as waiting after a look, in milliseconds. */
const watchMs = 10_000;

/** Says that somebody waits for the answers, whom another process serves. Written at most once in a few seconds. */
export async function noteWatchers(app: Store, questionIds: number[]): Promise<void> {
  const before = timestamp(app.clock, -2000);
  const late = await app.db
    .read<ClaimRow>('running_answers')
    .whereRaw('question_id in (select value from json_each(?))', [JSON.stringify(questionIds)])
    .whereRaw("coalesce(watched_at, '') < ?", [before])
    .pluck('question_id');
  if (late.length === 0) return;
  await app.db
    .write('running_answers')
    .whereRaw('question_id in (select value from json_each(?))', [JSON.stringify(late)])
    .update({ watched_at: timestamp(app.clock) });
}

/** What other processes ask of the one that makes an answer. */
export async function findWishes(
  app: Store,
  questionId: number,
): Promise<{ cancel: boolean; watched: boolean } | undefined> {
  const row = await app.db
    .read<ClaimRow>('running_answers')
    .where({ question_id: questionId })
    .first('cancel_requested_at', 'watched_at');
  if (row === undefined) return undefined;
  const { cancel_requested_at: cancel, watched_at: watched } = row;
  const since = timestamp(app.clock, -watchMs);
  return { cancel: typeof cancel === 'string', watched: (watched ?? '') > since };
}

export async function storeEvents(
  app: Store,
  questionId: number,
  askedBy: string,
  events: string,
): Promise<void> {
  await app.db
    .write('running_answers')
    .where({ question_id: questionId })
    .update({ events, asked_by: askedBy });
}

/**
 * What has happened to an answer that this credential (nameOf) asked for, as far as the process that makes it has
 * written it down.
 */
export async function findEvents(
  app: Store,
  questionId: number,
  askedBy: string,
): Promise<unknown[]> {
  const row = await app.db
    .read<ClaimRow>('running_answers')
    .where({ question_id: questionId, asked_by: askedBy })
    .first('events');
  return JSON.parse(row?.events ?? '[]') as unknown[];
}
