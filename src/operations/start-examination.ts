import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { packageRoot } from '../platform/package-root.js';
import { listOrganizations } from '../tenancy/sites.repository.js';
import { worstOf } from './doctor.schema.js';
import { isAboutSites } from './examine-sites.js';
import { readExamination, type KeptExamination } from './kept-examination.js';
import { isOperator, requireOperator } from './operators.js';

export const examination = 'examination';

/**
 * Starts the examination of `assistant doctor`, unless one is running. It is a process of its own: comparing the search
 * index alone would hold up every answer by a quarter of a second at a time, and a damaged file must not end the server.
 */
export async function startExamination(app: App, actor: Actor): Promise<void> {
  await requireOperator(app, actor);
  app.longWork.start(examination, (signal) => examineApart(app, signal));
}

/**
 * The last examination. Leaves out what it says of organizations where there are several: they are nobody else's
 * business, and pages show the state of one's own.
 */
export async function readLastExamination(
  app: App,
  actor: Actor,
): Promise<KeptExamination | undefined> {
  await requireOperator(app, actor);
  return readOwnExamination(app);
}

async function readOwnExamination(app: App): Promise<KeptExamination | undefined> {
  const last = await readExamination(app.config);
  if (last === undefined || (await listOrganizations(app)).length === 1) return last;
  const checks = last.checks.filter((check) => !isAboutSites(check));
  return { ...last, status: worstOf(checks), checks };
}

/** The problems that the last examination found; empty for those who do not look after the installation. */
export async function listFindings(app: App, actor: Actor): Promise<KeptExamination['checks']> {
  if (!(await isOperator(app, actor))) return [];
  const last = await readOwnExamination(app);
  return last?.checks.filter(({ status }) => status !== 'ok') ?? [];
}

async function examineApart(
  { config, configFile }: Pick<App, 'config' | 'configFile'>,
  signal: AbortSignal,
): Promise<void> {
  const before = (await readExamination(config))?.checked_at;
  const file = configFile === undefined ? [] : ['--config', configFile];
  const given = [join(packageRoot(), 'bin/assistant.js'), 'doctor', '--json', ...file];
  // The database that this server uses, whatever the file says by now.
  const { url, path } = config.database;
  const env = {
    ...process.env,
    ASSISTANT_DATABASE_PATH: path,
    ...(url === null ? {} : { ASSISTANT_DATABASE_URL: url }),
  };
  const said = await new Promise<string>((resolve) => {
    const child = execFile(
      process.execPath,
      given,
      { env, signal, maxBuffer: Infinity },
      (_, __, stderr) => resolve(stderr.trim()),
    );
    if (child.pid !== undefined) lowerPriority(child.pid);
  });
  signal.throwIfAborted();
  if ((await readExamination(config))?.checked_at !== before) return;
  throw new AppError(
    'conflict',
    `The examination has left no result. Run assistant doctor on the machine of the server. ${said}`,
    { reason: { is: 'no_examination' } },
  );
}

/** Answers to visitors go first. A system that refuses this examines with the usual priority. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Ended already, or not allowed.
  }
}
