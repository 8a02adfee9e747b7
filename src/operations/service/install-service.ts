import { readFile, rename, rm, mkdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../platform/errors.js';
import type { Machine } from './machine.js';
import { lastingUnits, serviceUnits, unitNames, type ServicePlan } from './service-units.js';

export interface PlannedUnit {
  name: string;
  path: string;
  text: string;
  state: 'new' | 'changed' | 'unchanged';
}

export interface PlannedService {
  units: PlannedUnit[];
  /** The commands of the system, in order: those before the units are written, and those after. */
  before: string[][];
  after: string[][];
}

/** Lists what an installation would do on this machine. Changes nothing. */
export async function planService(plan: ServicePlan, machine: Machine): Promise<PlannedService> {
  const units = await Promise.all(
    serviceUnits(plan).map(async ({ name, text }): Promise<PlannedUnit> => {
      const path = join(machine.units, name);
      const present = await readFile(path, 'utf8').catch(() => undefined);
      const state = present === undefined ? 'new' : present === text ? 'unchanged' : 'changed';
      return { name, path, text, state };
    }),
  );
  const { user, data, backups, configFile } = plan;
  const hasUser = await machine.run('id', ['-u', user]).then(({ code }) => code === 0);
  const making = ['--system', '--user-group', '--no-create-home', '--home-dir', plan.folder];
  const changed = lastingUnits.filter((name) =>
    units.some((one) => one.name === name && one.state === 'changed'),
  );
  return {
    units,
    before: [
      ...(hasUser ? [] : [['useradd', ...making, '--shell', '/usr/sbin/nologin', user]]),
      ['mkdir', '-p', data, backups],
      // The owner of the configuration stays. The user only reads it.
      ['chown', '-R', `${user}:${user}`, data, backups],
      ['chgrp', user, configFile],
      ['chmod', 'g+r,o-rwx', configFile],
      // Fails where the user can't reach the program, the configuration or the database.
      ['runuser', '-u', user, '--', ...check(plan)],
    ],
    after: [
      ['systemctl', 'daemon-reload'],
      ['systemctl', 'enable', '--now', ...lastingUnits],
      ...(changed.length === 0 ? [] : [['systemctl', 'restart', ...changed]]),
    ],
  };
}

/** Reads the configuration and the database. Changes nothing, also where migrations are pending. */
function check({ node, program, configFile }: ServicePlan): string[] {
  return [node, program, 'upgrade', '--check', '--estimate', '--quiet', '--config', configFile];
}

const secretsHead = `# Secrets of Assistant as environment variables, one a line. Only root reads this file; systemd hands them on.
# ASSISTANT_MAIL_PASSWORD=…
# ASSISTANT_METRICS_TOKEN=…
`;

/**
 * Makes the system user, gives it the data, writes the units, and enables and starts them. The same call again changes
 * nothing. Errors: `unprocessable` when the user can't run the program, with what to do.
 */
export async function installService(plan: ServicePlan, machine: Machine): Promise<PlannedService> {
  const planned = await planService(plan, machine);
  for (const command of planned.before) {
    await run(machine, command, (said) =>
      command[0] === 'runuser'
        ? `The user ${plan.user} can't run the program on this installation: ${said} Install the program for everybody (npm install --global), and keep the installation in a folder that everybody may enter, e.g. /srv/assistant.`
        : undefined,
    );
  }
  if (!existsSync(plan.secrets)) await writeFile(plan.secrets, secretsHead, { mode: 0o600 });
  await mkdir(machine.units, { recursive: true });
  for (const { path, text, state } of planned.units) {
    if (state === 'unchanged') continue;
    // Renamed into place: systemd never reads half a unit.
    await writeFile(`${path}.part`, text, { mode: 0o644 });
    await rename(`${path}.part`, path);
  }
  for (const command of planned.after) await run(machine, command);
  return planned;
}

/** Stops and removes the units, and returns their paths. Data, configuration, secrets and user stay. */
export async function uninstallService(machine: Machine): Promise<string[]> {
  const present = unitNames.filter((name) => existsSync(join(machine.units, name)));
  if (present.length === 0) return [];
  const lasting = lastingUnits.filter((name) => present.some((one) => one === name));
  await run(machine, ['systemctl', 'disable', '--now', ...lasting]);
  // A backup that is being made ends in order, too.
  await run(machine, ['systemctl', 'stop', 'assistant-backup.service']);
  const paths = present.map((name) => join(machine.units, name));
  for (const path of paths) await rm(path, { force: true });
  await run(machine, ['systemctl', 'daemon-reload']);
  return paths;
}

async function run(
  machine: Machine,
  [command = '', ...args]: readonly string[],
  explain: (said: string) => string | undefined = () => undefined,
): Promise<void> {
  const { code, stderr } = await machine.run(command, args);
  if (code === 0) return;
  const said = stderr.trim() || `it ended with ${code}.`;
  const message = explain(said) ?? `${[command, ...args].join(' ')} failed: ${said}`;
  throw new AppError('unprocessable', message, { exit: 1 });
}
