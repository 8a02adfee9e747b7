import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../platform/config/schema.js';
import type { Database } from '../platform/db/database.js';
import { pendingMigrations } from '../platform/db/migrate.js';
import { openDatabase } from '../platform/db/open-database.js';
import { systemClock } from '../platform/clock.js';
import { findAstray } from '../platform/db/inspect-database.js';
import { requireDatabase } from '../platform/db/require-database.js';
import { sqliteTrouble } from '../platform/db/sqlite-trouble.js';
import { type AppError, codeOf, messageOf } from '../platform/errors.js';
import type { Check } from './doctor.schema.js';
import {
  examineBackups,
  examineConfiguration,
  examineFolder,
  rightsRemedy,
} from './examine-files.js';
import { examineMail, examineSecrets } from './examine-settings.js';
import { examineSites } from './examine-sites.js';
import { examineVectors } from './examine-vectors.js';
import { examineModels, type ModelExamination } from './examine-models.js';
import { pageOfChanges } from '../audit/audit-log.repository.js';
import type { App } from '../platform/app.js';
import { packageRoot } from '../platform/package-root.js';
import { listOrganizations } from '../tenancy/sites.repository.js';

const putBack = 'Put back the last backup: assistant backup list, then: assistant restore <file>';

/** The tolerated difference of clocks, in milliseconds. */
const clockToleranceMs = 60_000;

/**
 * Checks everything that the product depends on. Changes nothing except the models in Ollama's memory. Never rejects:
 * errors become findings.
 */
export async function examine(
  config: Config,
  configFile: string | undefined,
  options: ModelExamination = {},
): Promise<Check[]> {
  return [
    await examineConfiguration(configFile),
    ...(await examineFolder(config)),
    ...(await examineDatabase(config)),
    ...(await examineMail(config)),
    ...(await examineModels(config, options)),
  ];
}

async function examineDatabase(config: Config): Promise<Check[]> {
  const name = 'database';
  const { path } = config.database;
  try {
    requireDatabase(path);
  } catch (error) {
    // Missing permissions are already a finding about the folder.
    if (codeOf(error) !== 'not_found') return [];
    const remedy = 'Make it with: assistant init';
    return [{ name, status: 'failed', finding: `there is none at ${path}`, remedy }];
  }
  let db: Database | undefined;
  try {
    db = await openDatabase(config.database);
    const integrity = await db.dialect.checkIntegrity(db.read);
    if (integrity !== 'ok') {
      return [
        {
          name,
          status: 'failed',
          finding: `damaged: ${integrity}`,
          remedy: putBack,
        },
      ];
    }
    const size = ((await stat(path)).size / 1024 ** 2).toFixed(1);
    const pending = await pendingMigrations(db);
    const checks: Check[] = [{ name, status: 'ok', finding: `${path}, ${size} MB, whole` }];
    checks.push(...(await examineReferences(path)));
    if (pending.length > 0) {
      const finding = `${pending.length} migrations are pending`;
      return [
        ...checks,
        { name: 'migrations', status: 'failed', finding, remedy: 'Run: assistant migrate' },
      ];
    }
    checks.push({ name: 'migrations', status: 'ok', finding: 'up to date' });
    const store = { db, clock: systemClock };
    return [
      ...checks,
      await examineClock(store),
      await examineBackups(config, store),
      ...(await examineSecrets(config, store)),
      ...(await examineSites(store)),
      ...(await examineVectors(config, db)),
    ];
  } catch (error) {
    return [
      { name, status: 'failed', finding: messageOf(error), remedy: await remedyFor(error, path) },
    ];
  } finally {
    await db?.close();
  }
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

/** References to rows that were deleted with a tool that does not enforce foreign keys. */
async function examineReferences(path: string): Promise<Check[]> {
  const astray = await findAstray(path);
  if (astray.length === 0) return [];
  const remedy = `Somebody deleted rows by hand, and search may still answer from them (assistant audit visibility). Which: sqlite3 ${path} "pragma foreign_key_check". Delete those too, with "pragma foreign_keys = on", or put back a backup from before.`;
  return [{ name: 'references', status: 'warning', finding: astray.join('; '), remedy }];
}

/** Checks that the clock is not behind a recorded time: tokens and leases would last too long or not at all. */
async function examineClock(app: Pick<App, 'db' | 'clock'>): Promise<Check> {
  const name = 'clock';
  const now = app.clock.now();
  const known: [what: string, at: Date][] = [
    ['this program was installed', (await stat(join(packageRoot(), 'package.json'))).mtime],
  ];
  for (const { id } of await listOrganizations(app)) {
    const filter = { actor: undefined, action: undefined, subject: undefined };
    const range = { first: undefined, last: undefined };
    const newest = await pageOfChanges(app, id, { ...filter, ...range }, { page: 1, limit: 1 });
    const at = newest.items[0]?.createdAt;
    if (at !== undefined) known.push(['the last change was made', new Date(at)]);
  }
  const ahead = known.find(([, at]) => at.getTime() > now.getTime() + clockToleranceMs);
  if (ahead === undefined) return { name, status: 'ok', finding: now.toISOString() };
  const [what, at] = ahead;
  return {
    name,
    status: 'warning',
    finding: `it says ${now.toISOString()}, but ${what} at ${at.toISOString()}`,
    remedy: 'Set the clock of this machine: timedatectl set-ntp true',
  };
}
