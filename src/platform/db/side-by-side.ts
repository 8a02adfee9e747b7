import { setTimeout as wait } from 'node:timers/promises';
import { AppError, codeOf, messageOf } from '../errors.js';
import type { Database } from './database.js';
import { migrations } from './migrations.js';

/*
 * Programs of two versions at one database, as while servers are upgraded one after the other. They may work side by side
 * as long as migrations only add. Any other change waits until no older program is connected, and keeps older ones away.
 */

const onlyAdds = (name: string) => name.endsWith('+');

/** Errors: `database_newer` when a migration that this build does not know did more than add: this build would read or write wrongly. */
export function refuseNewer({ dialect }: Pick<Database, 'dialect'>, applied: string[]): void {
  const known = new Set(migrations(dialect).map(({ name }) => name));
  const unknown = applied.filter((name) => !known.has(name) && !onlyAdds(name));
  if (unknown.length === 0) return;
  throw new AppError(
    'database_newer',
    `The database was made by a newer version of assistant (it has ${unknown.join(', ')}). ` +
      'Upgrade this program, or open a copy made before that upgrade.',
    // Another server behind the same address may be newer.
    { retryAfterSeconds: 5 },
  );
}

/** What this build requires of the database: the number of its last migration that does more than add, e.g. `0093`. */
export function schemaLevel({ dialect }: Pick<Database, 'dialect'>): string {
  const last = migrations(dialect).findLast(({ name }) => !onlyAdds(name));
  return last?.name.slice(0, 4) ?? '';
}

/**
 * Inside the transaction that applies the `pending` migrations: from here to its end, no older program is connected, if
 * they do more than add. Errors: `conflict` when one is. A file has no such protection: its other processes must be stopped
 * by hand.
 */
export async function refuseOlder(db: Database, pending: string[]): Promise<void> {
  if (pending.every(onlyAdds)) return;
  const older = await db.dialect.keepOlderAway(db.write, schemaLevel(db));
  if (older.length === 0) return;
  const places = [...new Set(older)].join(', ');
  throw new AppError(
    'conflict',
    `An older version of assistant is connected to the database (from ${places}), and can't work with the changes of this one. ` +
      'Stop the servers, workers and commands of the older version.',
  );
}

/** The pause between two looks for older programs, in milliseconds. */
const lookMs = 500;

/** Repeats `work` until no older program is connected. Calls `onWaiting` once, with the reason. */
export async function waitForOlder<T>(
  work: () => Promise<T>,
  onWaiting: (reason: string) => void,
): Promise<T> {
  for (let looks = 0; ; looks++) {
    try {
      return await work();
    } catch (error) {
      if (codeOf(error) !== 'conflict') throw error;
      if (looks === 0) onWaiting(messageOf(error));
      await wait(lookMs);
    }
  }
}
