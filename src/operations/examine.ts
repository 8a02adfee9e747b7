import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Config } from '../platform/config/schema.js';
import type { Database } from '../platform/db/database.js';
import { pendingMigrations } from '../platform/db/migrate.js';
import { openDatabase } from '../platform/db/open-database.js';
import { systemClock } from '../platform/clock.js';
import { messageOf } from '../platform/errors.js';
import type { Check } from './check.js';
import { examineBackups } from './examine-backups.js';
import { examineClock } from './examine-clock.js';
import { examineConfiguration, examineFolder } from './examine-files.js';
import { examineMail } from './examine-mail.js';
import { examineSites } from './examine-sites.js';
import { examineVectors } from './examine-vectors.js';
import { examineModels, type ModelExamination } from './examine-models.js';

/**
 * Looks at all that the product stands on, and changes nothing but which models Ollama has in memory. Never
 * rejects: what fails is a finding.
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
  if (!existsSync(path)) {
    return [
      {
        name,
        status: 'failed',
        finding: `there is none at ${path}`,
        remedy: 'Make it with: assistant init',
      },
    ];
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
          remedy: 'Put back the last backup: assistant backup list, then: assistant restore <file>',
        },
      ];
    }
    const size = ((await stat(path)).size / 1024 ** 2).toFixed(1);
    const pending = await pendingMigrations(db);
    const checks: Check[] = [{ name, status: 'ok', finding: `${path}, ${size} MB, whole` }];
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
      ...(await examineSites(store)),
      ...(await examineVectors(config, db)),
    ];
  } catch (error) {
    const remedy =
      'Put back the last backup: assistant backup list, then: assistant restore <file>';
    return [{ name, status: 'failed', finding: messageOf(error), remedy }];
  } finally {
    await db?.close();
  }
}
