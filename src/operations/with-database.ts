import { dirname } from 'node:path';
import { fileTrouble } from '../platform/cli/file-trouble.js';
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

/** Migrations that a finding names one by one. */
const mostNamed = 5;

/** Opens the database for `look`, and closes it. A failure to read the database becomes a finding. */
export async function withDatabase(
  config: Config,
  look: (db: Database) => Promise<Check[]>,
): Promise<Check[]> {
  const name = 'database';
  const { path } = config.database;
  try {
    requireDatabase(config.database);
  } catch (error) {
    // Missing permissions are already a finding about the folder.
    if (codeOf(error) !== 'not_found') return [];
    const installation = findUnits()?.installation;
    const remedy =
      installation === undefined
        ? 'Make it with: assistant init'
        : `The services of this machine use another installation. To look at that one: cd ${installation}`;
    const code = installation === undefined ? 'no_database' : 'database_elsewhere';
    const values = { path, installation: installation ?? '' };
    const finding = `there is none at ${path}`;
    return [{ name, status: 'failed', code, values, finding, remedy }];
  }
  let db: Database | undefined;
  try {
    db = await openDatabase(config.database);
    return await look(db);
  } catch (error) {
    const trouble = fileTrouble(error);
    // A part of the program is missing, or PostgreSQL can't be used. The message has the remedy, and rights are not the problem.
    const isElsewhere = config.database.url !== null && codeOf(error) !== 'database_newer';
    if (trouble?.code === 'invalid_config' || isElsewhere) {
      return [
        { name, status: 'failed', code: 'database_closed', finding: messageOf(trouble ?? error) },
      ];
    }
    const mended = await remedyFor(error, path);
    return [{ name, status: 'failed', finding: messageOf(error), ...mended }];
  } finally {
    await db?.close();
  }
}

export function judgeSchema(pending: string[]): Check {
  const name = 'migrations';
  if (pending.length === 0) {
    return { name, status: 'ok', code: 'up_to_date', finding: 'up to date' };
  }
  const values = { names: namesOf(pending) };
  const finding = `pending: ${values.names}`;
  const remedy = 'Run: assistant upgrade';
  return { name, status: 'failed', code: 'migrations_pending', values, finding, remedy };
}

/** An empty database would name all that there are. */
function namesOf(pending: string[]): string {
  if (pending.length <= mostNamed) return pending.join(', ');
  return `${pending.at(0)} … ${pending.at(-1)} (${pending.length})`;
}

/** The name of the finding and its remedy. Restore a backup only for a damaged database: for other problems, it would lose all later data. */
async function remedyFor(
  error: unknown,
  path: string,
): Promise<Pick<Check, 'code' | 'remedy' | 'values'>> {
  if (codeOf(error) === 'database_newer') {
    const remedy = 'Upgrade this program to the version that the database was last used with.';
    return { code: 'database_newer', remedy };
  }
  const { code } = sqliteTrouble(error) ?? (error as Partial<AppError>);
  if (code === 'database_damaged') return { code: 'database_damaged', remedy: putBack };
  if (code === 'no_space') {
    const remedy = 'Free some space, or move database.path to a larger disk.';
    return { code: 'no_space', remedy };
  }
  if (code === 'database_busy' || /SQLITE_(?:BUSY|LOCKED)/.test(messageOf(error))) {
    return { code: 'database_busy', remedy: 'Wait for what keeps it busy, and look again.' };
  }
  return { code: 'database_closed', ...(await rightsRemedy(dirname(path), path)) };
}
