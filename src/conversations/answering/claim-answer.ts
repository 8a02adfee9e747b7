import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { App } from '../../platform/app.js';
import { messageOf } from '../../platform/errors.js';
import {
  deleteClaim,
  findClaims,
  insertClaim,
  renewClaim,
} from '../store/running-answers.repository.js';

/** The names of the servers of this process, by what each of them shares with all its parts. */
const holders = new WeakMap<object, string>();
const ownHolders = new Set<string>();

function holderOf(app: App): string {
  const present = holders.get(app.counters);
  if (present !== undefined) return present;
  const made = [hostname(), process.pid, randomUUID()].join(' ');
  holders.set(app.counters, made);
  ownHolders.add(made);
  return made;
}

/** Workers of all kinds may be silent for so long before they are taken for dead. */
const leaseOf = (app: App) => app.config.ingestion.lease_ms;

/** Says, inside the transaction that stores a question, that this process makes its answer. */
export async function claimAnswer(app: App, questionId: number): Promise<void> {
  await insertClaim(app, { questionId, holder: holderOf(app) }, leaseOf(app));
}

/** Says so again and again, until it is told to end. */
export function keepClaim(app: App, questionId: number): () => void {
  const leaseMs = leaseOf(app);
  const renew = () => {
    renewClaim(app, { questionId, holder: holderOf(app) }, leaseMs).catch((error: unknown) => {
      app.log.warn({ reason: messageOf(error) }, 'the claim on an answer could not be renewed');
    });
  };
  const timer = setInterval(renew, leaseMs / 3);
  return () => clearInterval(timer);
}

/** Says that no answer is made any more. */
export async function releaseAnswer(app: Pick<App, 'db' | 'clock'>, id: number): Promise<void> {
  await deleteClaim(app, id);
}

/**
 * Those of the questions whose answer some process is making. One that was killed is known at once on its own machine,
 * elsewhere when its lease has run out.
 */
export async function claimedAmong(
  app: Pick<App, 'db' | 'clock'>,
  questionIds: number[],
): Promise<Set<number>> {
  const claims = questionIds.length === 0 ? [] : await findClaims(app, questionIds);
  return new Set(claims.filter(({ holder }) => mayLive(holder)).map((one) => one.questionId));
}

function mayLive(holder: string): boolean {
  if (ownHolders.has(holder)) return true;
  const [host, pid] = holder.split(' ');
  if (host !== hostname()) return true;
  // In a container every server may have the same number, which is ours then and not its any more.
  if (Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    // Of another user's process it may not be asked: it lives.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
