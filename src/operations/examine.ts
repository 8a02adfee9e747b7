import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pageOfChanges } from '../audit/audit-log.repository.js';
import type { App } from '../platform/app.js';
import { fileTrouble } from '../platform/cli/file-trouble.js';
import type { Config } from '../platform/config/schema.js';
import { messageOf } from '../platform/errors.js';
import { packageRoot } from '../platform/package-root.js';
import { listOrganizations } from '../tenancy/sites.repository.js';
import type { Check } from './doctor.schema.js';
import { examineDatabase } from './examine-database.js';
import { examineBackups, examineConfiguration, examineFolder } from './examine-files.js';
import { examineModels, type ModelExamination } from './examine-models.js';
import { examineRecognition } from './examine-recognition.js';
import { examineMail, examineSecrets } from './examine-settings.js';
import { examineSites } from './examine-sites.js';
import { examineSources } from './examine-sources.js';
import { examineVectors } from './examine-vectors.js';
import type { Store } from './repair/damage.js';

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
    ...(await examineProgram()),
    await examineConfiguration(configFile),
    ...(await examineFolder(config)),
    ...(await examineDatabase(config, options, examineInstallation)),
    ...(await examineMail(config)),
    await examineRecognition(config.ingestion, options),
    ...(await examineModels(config, options)),
  ];
}

const hashPasswords = () => import('@node-rs/argon2');

/** Checks that passwords can be hashed here, by a native part of the program. A missing sqlite3 shows at the database. */
export async function examineProgram(
  load: () => Promise<unknown> = hashPasswords,
): Promise<Check[]> {
  try {
    await load();
    return [];
  } catch (error) {
    const finding = fileTrouble(error)?.message ?? messageOf(error);
    return [{ name: 'program', status: 'failed', finding }];
  }
}

/** Checks what is in a database that is whole and up to date. */
async function examineInstallation(store: Store): Promise<Check[]> {
  const { config, db } = store;
  return [
    await examineClock(store),
    await examineBackups(config, store),
    ...(await examineSecrets(config, store)),
    ...(await examineSites(store)),
    ...(await examineSources(store)),
    ...(await examineVectors(config, db)),
  ];
}

/** Checks that the clock is not behind a recorded time: tokens and leases would last too long or not at all. */
async function examineClock(app: Pick<App, 'db' | 'clock'>): Promise<Check> {
  const name = 'clock';
  const now = app.clock.now();
  const known: [code: string, what: string, at: Date][] = [
    [
      'clock_before_program',
      'this program was installed',
      (await stat(join(packageRoot(), 'package.json'))).mtime,
    ],
  ];
  for (const { id } of await listOrganizations(app)) {
    const filter = { actor: undefined, action: undefined, subject: undefined };
    const range = { first: undefined, last: undefined };
    const newest = await pageOfChanges(app, id, { ...filter, ...range }, { page: 1, limit: 1 });
    const at = newest.items[0]?.createdAt;
    if (at !== undefined)
      known.push(['clock_before_change', 'the last change was made', new Date(at)]);
  }
  const ahead = known.find(([, , at]) => at.getTime() > now.getTime() + clockToleranceMs);
  if (ahead === undefined) return { name, status: 'ok', finding: now.toISOString() };
  const [code, what, at] = ahead;
  return {
    name,
    status: 'warning',
    code,
    values: { now: now.toISOString(), at: at.toISOString() },
    finding: `it says ${now.toISOString()}, but ${what} at ${at.toISOString()}`,
    remedy: 'Set the clock of this machine: timedatectl set-ntp true',
  };
}
