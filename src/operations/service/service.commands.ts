import { dirname, join, resolve } from 'node:path';
import { wholeNumber } from '../../platform/cli/arguments.js';
import type { ConfigSession, ExitCode } from '../../platform/cli/cli.js';
import type { CommandGroup } from '../../platform/cli/command-group.js';
import { confirm } from '../../platform/cli/prompts.js';
import { AppError } from '../../platform/errors.js';
import type { PlannedService } from './install-service.js';
import type { ServicePlan } from './service-units.js';
import type { UnitStatus } from './service-status.js';

interface InstallOptions {
  dir?: string;
  user: string;
  backups?: string;
  keep: number;
  print?: boolean;
  dryRun?: boolean;
}

export function addServiceCommands(program: CommandGroup): void {
  const service = program.group('service', 'run the server as a service of the system (systemd)');
  service.addConfig({
    name: 'install',
    description:
      'install server, worker and a nightly backup as services, and start them; needs root',
    options: [
      ['--dir <folder>', 'the folder of the installation (else the folder of the configuration)'],
      [
        '--user <name>',
        'the system user that they run as; made if it is missing',
        undefined,
        'assistant',
      ],
      ['--backups <folder>', 'the folder for the backups (else backups, beside the database)'],
      ['--keep <number>', 'the number of backups to keep', wholeNumber('--keep', 1, 100_000), 14],
      ['--print', 'only print the units'],
      ['--dry-run', 'only say what would be done'],
    ],
    answer:
      '{ dry_run, units: [{ name, path, state, text }], commands: [[…]], status: [UnitStatus] }; without status with --print and --dry-run',
    examples: [
      'sudo assistant service install --dir /srv/assistant',
      'sudo assistant service install --dir /srv/assistant --backups /mnt/backups --keep 30',
      'assistant service install --dir /srv/assistant --print',
    ],
    run: install,
  });
  service.addConfig({
    name: 'uninstall',
    description:
      'stop the services and remove their units; data and configuration stay; needs root',
    options: [['--yes', 'do not ask']],
    answer: '{ removed: [path] }',
    examples: ['sudo assistant service uninstall'],
    run: uninstall,
  });
  service.addConfig({
    name: 'status',
    description: 'say whether the services run; ends with 1 when one does not',
    answer:
      '{ ok, units: [{ unit, installed, state, detail, enabled, pid, restarts, since, next, result }] }',
    examples: ['assistant service status', 'assistant service status --json | jq .ok'],
    run: showStatus,
  });
}

async function install(session: ConfigSession, options: InstallOptions): Promise<ExitCode> {
  const { installService, planService } = await import('./install-service.js');
  const { requireSystemd, thisMachine: machine } = await import('./machine.js');
  const { out } = session;
  const plan = await planOf(session, options);
  if (options.print === true || options.dryRun === true) {
    const planned = await planService(plan, machine);
    const text = options.print === true ? printed(planned) : described(planned, 'would be');
    out.result({ dry_run: true, ...presented(planned) }, text);
    if (options.print !== true) out.note('Nothing was changed: --dry-run.');
    return 0;
  }
  requireSystemd(machine);
  if (!machine.isRoot) throw needsRoot(['install', ...given(plan)]);
  const done = await installService(plan, machine);
  const { readServiceStatus } = await import('./service-status.js');
  const status = await readServiceStatus(machine);
  const text = `${described(done, 'was')}\n\n${await statusTable(status, out.width)}`;
  out.result({ dry_run: false, ...presented(done), status }, text);
  out.note('The log: journalctl -u assistant-server -u assistant-worker -f');
  out.note(`Secrets belong into ${plan.secrets}. Then: systemctl restart assistant-server`);
  return 0;
}

async function planOf(session: ConfigSession, options: InstallOptions): Promise<ServicePlan> {
  const { loadConfig } = await import('../../platform/config/load-config.js');
  const { packageRoot } = await import('../../platform/package-root.js');
  const { requireDatabase } = await import('../../platform/db/require-database.js');
  const { secretsFile } = await import('./service-units.js');
  const { systemdVersion, thisMachine } = await import('./machine.js');
  const { config, file: configFile } =
    options.dir === undefined
      ? { config: session.config, file: session.configFile }
      : await loadConfig(resolve(options.dir, 'config.yaml'));
  if (configFile === undefined) {
    const message =
      'There is no config.yaml here. Name the folder of the installation with --dir, or make one with: assistant init';
    throw new AppError('not_found', message);
  }
  requireDatabase(config.database);
  const data = dirname(config.database.path);
  const folder = dirname(configFile);
  const { stop_delay_ms, drain_timeout_ms, port } = config.server;
  return {
    folder,
    configFile,
    data,
    backups: options.backups === undefined ? join(data, 'backups') : resolve(options.backups),
    keep: options.keep,
    user: userName(options.user),
    secrets: secretsFile(folder),
    node: process.execPath,
    program: join(packageRoot(), 'bin/assistant.js'),
    // Added to the time for answers and deliveries: for work that hangs, and for closing the
    // database.
    stopMs: stop_delay_ms + drain_timeout_ms + 15_000,
    port,
    systemdVersion: await systemdVersion(thisMachine),
  };
}

/** Refuses root, and names that no system user can have. */
function userName(name: string): string {
  if (/^[a-z_][a-z0-9_-]{0,30}$/.test(name) && name !== 'root') return name;
  const message = `--user: "${name}" can't be the user. Name a dedicated system user, e.g. assistant.`;
  throw new AppError('usage', message);
}

function given({ configFile, user, backups, keep }: ServicePlan): string[] {
  return ['--config', configFile, '--user', user, '--backups', backups, '--keep', String(keep)];
}

function needsRoot(args: readonly string[]): AppError {
  const words = [process.execPath, process.argv[1] ?? 'assistant', 'service', ...args];
  const line = words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word)));
  return new AppError('forbidden', `Only root may do this. Run: sudo ${line.join(' ')}`);
}

function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function presented({ units, before, after }: PlannedService) {
  return { units, commands: [...before, ...after] };
}

function printed({ units }: PlannedService): string {
  return units.map(({ path, text }) => `# ${path}\n${text}`).join('\n');
}

function described({ units, before, after }: PlannedService, verb: string): string {
  const written = units.map(({ path, state }) =>
    state === 'unchanged' ? `${path} is as it should be` : `${path} ${verb} written (${state})`,
  );
  const ran = [...before, ...after].map((command) => `${verb} run: ${command.join(' ')}`);
  return [...written, ...ran].join('\n');
}

async function uninstall(
  { out, terminal }: ConfigSession,
  { yes }: { yes?: boolean },
): Promise<ExitCode> {
  const { uninstallService } = await import('./install-service.js');
  const { requireSystemd, thisMachine: machine } = await import('./machine.js');
  requireSystemd(machine);
  if (!machine.isRoot) throw needsRoot(['uninstall']);
  const question = 'Stop the services and remove their units? Data and configuration stay.';
  if (!(await confirm(terminal, yes, question))) {
    out.note('Nothing was changed.');
    return 1;
  }
  const removed = await uninstallService(machine);
  const text = removed.map((path) => `Removed ${path}`).join('\n');
  out.result({ removed }, text || 'No service is installed.');
  return 0;
}

async function showStatus({ out }: ConfigSession): Promise<ExitCode> {
  const { readServiceStatus, unwell } = await import('./service-status.js');
  const { requireSystemd, thisMachine: machine } = await import('./machine.js');
  requireSystemd(machine);
  const units = await readServiceStatus(machine);
  const bad = unwell(units);
  const ok = bad.length === 0;
  out.result({ ok, units }, await statusTable(units, out.width));
  if (!units.some(({ installed }) => installed)) {
    out.note('No service is installed. Install them with: sudo assistant service install');
  } else if (!ok) {
    const named = bad.map(({ unit }) => `-u ${unit.replace('.service', '')}`).join(' ');
    out.note(`To find the error: journalctl ${named} -e`);
  }
  return ok ? 0 : 1;
}

async function statusTable(units: UnitStatus[], width: number): Promise<string> {
  const { table } = await import('../../platform/cli/table.js');
  return table(
    [
      { title: 'unit', value: ({ unit }) => unit },
      {
        title: 'state',
        value: ({ installed, state, detail }) => (installed ? `${state} (${detail})` : 'missing'),
      },
      { title: 'result', value: ({ result }) => result, spare: 2 },
      { title: 'restarts', value: ({ restarts }) => restarts, spare: 3 },
      { title: 'since', value: ({ since }) => since, flexible: true, spare: 1 },
      { title: 'next', value: ({ next }) => next, flexible: true },
    ],
    units,
    width,
  );
}
