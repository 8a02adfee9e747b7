import { access, constants, stat, statfs } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../platform/config/schema.js';
import type { Database } from '../platform/db/database.js';
import { pendingMigrations } from '../platform/db/migrate.js';
import { openDatabase } from '../platform/db/open-database.js';
import { systemClock } from '../platform/clock.js';
import { messageOf } from '../platform/errors.js';
import { listApps, listDomains, listOrganizations } from '../tenancy/sites.repository.js';
import type { Check } from './check.js';
import { examineVectors } from './examine-vectors.js';
import { examineModels, type ModelExamination } from './examine-models.js';

/** Free space below which a full disk is near, in bytes. */
const littleSpace = 1024 ** 3;

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
    configFile === undefined
      ? {
          name: 'configuration',
          status: 'warning',
          finding: 'no file, defaults serve',
          remedy: 'Write one with: assistant init',
        }
      : { name: 'configuration', status: 'ok', finding: configFile },
    await examineFolder(config),
    ...(await examineDatabase(config)),
    ...(await examineModels(config, options)),
  ];
}

async function examineFolder(config: Config): Promise<Check> {
  const name = 'data folder';
  const folder = dirname(config.database.path);
  try {
    await access(folder, constants.R_OK | constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const finding = `${folder}, ${(free / 1024 ** 3).toFixed(1)} GB free`;
    if (free >= littleSpace) return { name, status: 'ok', finding };
    return {
      name,
      status: 'warning',
      finding,
      remedy: 'Free some space, or move database.path to a larger disk.',
    };
  } catch (error) {
    const remedy = existsSync(folder)
      ? `Let this user read and write it: chown $(id -u) ${folder}`
      : 'It is made by: assistant init';
    return { name, status: 'failed', finding: messageOf(error), remedy };
  }
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
          remedy: 'Put back a copy that was made before.',
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
    return [...checks, ...(await examineSites(db)), ...(await examineVectors(config, db))];
  } catch (error) {
    return [{ name, status: 'failed', finding: messageOf(error) }];
  } finally {
    await db?.close();
  }
}

async function examineSites(db: Database): Promise<Check[]> {
  const app = { db, clock: systemClock };
  const organizations = await listOrganizations(app);
  if (organizations.length === 0) {
    const remedy = 'Set one up with: assistant init';
    return [{ name: 'organization', status: 'failed', finding: 'there is none', remedy }];
  }
  const checks: Check[] = [];
  for (const { id, name: title } of organizations) {
    const apps = await listApps(app, id);
    const domains = await listDomains(app, id);
    const name = `organization ${title}`;
    const finding = `${apps.length === 1 ? '1 app' : `${apps.length} apps`}, domains: ${domains.map(({ host }) => host).join(', ') || 'none'}`;
    const remedy =
      'Without a domain no page finds its knowledge. Register one with: assistant init --domain docs.example.com';
    checks.push(
      domains.length > 0
        ? { name, status: 'ok', finding }
        : { name, status: 'warning', finding, remedy },
    );
  }
  return checks;
}
