import { join } from 'node:path';
import { processUnits } from './find-units.js';

/** The values in the units. All paths are absolute. */
export interface ServicePlan {
  /** The folder of the installation, where the program runs. */
  folder: string;
  /** The configuration. */
  configFile: string;
  /** The folder of the database, which the services write to. */
  data: string;
  backups: string;
  /** How many backups are kept. */
  keep: number;
  /** The system user that the services run as. */
  user: string;
  /** Environment variables with secrets, one `NAME=value` a line. It need not exist. */
  secrets: string;
  /** Node, and the program's file. */
  node: string;
  program: string;
  /** The longest that an orderly stop takes, in milliseconds. */
  stopMs: number;
  /** The port that the server listens on. */
  port: number;
  /** Only systemd from 254 on waits longer before each further restart. */
  systemdVersion: number;
}

export interface Unit {
  name: string;
  text: string;
}

/** The units that run for as long as the machine does. The timer starts the backup. */
export const lastingUnits = [...processUnits, 'assistant-backup.timer'] as const;

/** All units, in the order in which they are installed. */
export const unitNames = [...lastingUnits, 'assistant-backup.service'] as const;

type Section = readonly (readonly [key: string, value: string | number])[];

/** The units of an installation: server, worker, and a backup each night (systemd.unit(5), systemd.exec(5)). */
export function serviceUnits(plan: ServicePlan): Unit[] {
  const network = [
    ['After', 'network-online.target'],
    ['Wants', 'network-online.target'],
  ] as const;
  const started = [['WantedBy', 'multi-user.target']] as const;
  const texts: Record<(typeof unitNames)[number], string> = {
    'assistant-server.service': unit({
      Unit: [['Description', 'Assistant: the server'], ...network],
      Service: [
        ...lasting(plan, 'serve'),
        // The worker does these. Reading a PDF must not slow down answers.
        ['Environment', 'ASSISTANT_INGESTION_WORKER=false ASSISTANT_NOTIFICATIONS_WORKER=false'],
        ...confinement(plan, [plan.data], plan.port > 0 && plan.port < 1024),
      ],
      Install: started,
    }),
    'assistant-worker.service': unit({
      Unit: [['Description', 'Assistant: ingestion, mail, webhooks and retention'], ...network],
      Service: [...lasting(plan, 'worker'), ...confinement(plan, [plan.data])],
      Install: started,
    }),
    'assistant-backup.service': unit({
      Unit: [['Description', 'Assistant: a backup']],
      Service: [
        ['Type', 'oneshot'],
        ...run(plan, 'backup', plan.backups, '--keep', String(plan.keep), '--quiet'),
        ...confinement(plan, [...new Set([plan.data, plan.backups])]),
      ],
    }),
    'assistant-backup.timer': unit({
      Unit: [['Description', 'Assistant: a backup each night']],
      Timer: [
        ['OnCalendar', '*-*-* 02:15:00'],
        ['RandomizedDelaySec', '15min'],
        ['Persistent', 'true'],
      ],
      Install: [['WantedBy', 'timers.target']],
    }),
  };
  return unitNames.map((name) => ({ name, text: texts[name] }));
}

function unit(sections: Record<string, Section>): string {
  const parts = Object.entries(sections).map(([name, lines]) =>
    [`[${name}]`, ...lines.map(([key, value]) => `${key}=${value}`)].join('\n'),
  );
  const origin =
    '# Written by: assistant service install. Put changes into a drop-in: systemctl edit.';
  return `${[origin, ...parts].join('\n\n')}\n`;
}

function run(plan: ServicePlan, ...args: string[]): Section {
  const words = [plan.node, plan.program, ...args, '--config', plan.configFile];
  return [
    ['SyslogIdentifier', '%N'],
    ['User', plan.user],
    ['Group', plan.user],
    ['WorkingDirectory', escaped(plan.folder)],
    ['EnvironmentFile', `-${escaped(plan.secrets)}`],
    ['ExecStart', words.map((word) => quoted(word.replaceAll('$', '$$$$'))).join(' ')],
  ];
}

/** A process that is started again unless it is stopped, or ends because its settings are wrong. */
function lasting(plan: ServicePlan, command: string): Section {
  const growing = [
    ['RestartSec', 1],
    ['RestartSteps', 6],
    ['RestartMaxDelaySec', 60],
  ] as const;
  return [
    ['Type', 'exec'],
    ...run(plan, command),
    ['Restart', 'on-failure'],
    // A restart can't fix wrong usage, wrong settings, or a missing installation.
    ['RestartPreventExitStatus', '2 3'],
    ...(plan.systemdVersion >= 254 ? growing : ([['RestartSec', 10]] as const)),
    ['KillMode', 'mixed'],
    ['TimeoutStopSec', Math.ceil(plan.stopMs / 1000)],
  ];
}

/** The folders in which `ProtectHome` hides everything. */
const homes = /^\/(home|root|run\/user)(\/|$)/;

/**
 * Restricts the processes: they may read the system, write to `writable`, and use IP. MemoryDenyWriteExecute is missing
 * because V8 runs code that it compiles to memory. ProcSubset is missing because the machine's memory is read from
 * /proc.
 */
function confinement(
  plan: ServicePlan,
  writable: readonly string[],
  opensLowPort = false,
): Section {
  const used = [plan.folder, plan.configFile, plan.node, plan.program, ...writable];
  const capability = opensLowPort ? 'CAP_NET_BIND_SERVICE' : '';
  return [
    ['UMask', '0077'],
    ['NoNewPrivileges', 'true'],
    ['CapabilityBoundingSet', capability],
    ['AmbientCapabilities', capability],
    ['ProtectSystem', 'strict'],
    ['ProtectHome', used.some((path) => homes.test(path)) ? 'read-only' : 'true'],
    ['ReadWritePaths', writable.map(quoted).join(' ')],
    ['PrivateTmp', 'true'],
    ['PrivateDevices', 'true'],
    // A low port belongs to the machine's own user namespace.
    ['PrivateUsers', opensLowPort ? 'false' : 'true'],
    ['ProtectClock', 'true'],
    ['ProtectControlGroups', 'true'],
    ['ProtectHostname', 'true'],
    ['ProtectKernelLogs', 'true'],
    ['ProtectKernelModules', 'true'],
    ['ProtectKernelTunables', 'true'],
    ['ProtectProc', 'invisible'],
    ['RemoveIPC', 'true'],
    ['LockPersonality', 'true'],
    ['RestrictAddressFamilies', 'AF_UNIX AF_INET AF_INET6'],
    ['RestrictNamespaces', 'true'],
    ['RestrictRealtime', 'true'],
    ['RestrictSUIDSGID', 'true'],
    ['SystemCallArchitectures', 'native'],
    ['SystemCallFilter', '@system-service'],
    ['SystemCallFilter', '~@privileged'],
    // A refused call fails in the program, which reports it, instead of ending the process.
    ['SystemCallErrorNumber', 'EPERM'],
  ];
}

/** A value without specifiers of systemd. */
function escaped(value: string): string {
  return value.replaceAll('%', '%%');
}

/** One word of a list, in double quotes where it needs them. */
function quoted(word: string): string {
  const text = escaped(word);
  return /^[\w@%+=:,./$-]+$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** The file of the secrets, inside the folder of the installation. */
export function secretsFile(folder: string): string {
  return join(folder, 'secrets.env');
}
