import { dirname } from 'node:path';
import type { Config } from '../platform/config/schema.js';
import type { Database } from '../platform/db/database.js';
import { openDatabase } from '../platform/db/open-database.js';
import { requireDatabase } from '../platform/db/require-database.js';
import { sqliteTrouble } from '../platform/db/sqlite-trouble.js';
import { type AppError, codeOf, messageOf } from '../platform/errors.js';
import type { Check } from './doctor.schema.js';
import { rightsRemedy } from './examine-files.js';
import { putBack } from './repair/damaged-indexes.js';
import { findUnits } from './service/find-units.js';

/** Opens the database for `look`, and closes it. A failure to read the database becomes a finding. */
export async function withDatabase(
  config: Config,
  look: (db: Database) => Promise<Check[]>,
): Promise<Check[]> {
  const name = 'database';
  const { path } = config.database;
  try {
    requireDatabase(path);
  } catch (error) {
    // Missing permissions are already a finding about the folder.
    if (codeOf(error) !== 'not_found') return [];
    const installation = findUnits()?.installation;
    const remedy =
      installation === undefined
        ? 'Make it with: assistant init'
        : `The services of this machine use another installation. To look at that one: cd ${installation}`;
    return [{ name, status: 'failed', finding: `there is none at ${path}`, remedy }];
  }
  let db: Database | undefined;
  try {
    db = await openDatabase(config.database);
    return await look(db);
  } catch (error) {
    return [
      { name, status: 'failed', finding: messageOf(error), remedy: await remedyFor(error, path) },
    ];
  } finally {
    await db?.close();
  }
}

export function judgeSchema(pending: string[]): Check {
  const name = 'migrations';
  if (pending.length === 0) return { name, status: 'ok', finding: 'up to date' };
  const finding = `pending: ${pending.join(', ')}`;
  return { name, status: 'failed', finding, remedy: 'Run: assistant upgrade' };
}

/** Restore a backup only for a damaged database: for other problems, it would lose all later data. */
async function remedyFor(error: unknown, path: string): Promise<string> {
  if (codeOf(error) === 'database_newer') {
    return 'Upgrade this program to the version that the database was last used with.';
  }
  const { code } = sqliteTrouble(error) ?? (error as Partial<AppError>);
  if (code === 'database_damaged') return putBack;
  if (code === 'no_space') return 'Free some space, or move database.path to a larger disk.';
  if (/SQLITE_(?:BUSY|LOCKED)/.test(messageOf(error)))
    return 'Wait for what keeps it busy, and look again.';
  return rightsRemedy(dirname(path), path);
}
