import type { Machine } from './machine.js';
import { unitNames } from './service-units.js';

export interface UnitStatus {
  unit: string;
  installed: boolean;
  /** systemd's state: active, inactive, failed, activating, deactivating. */
  state: string;
  /** More exactly, e.g. running, waiting, auto-restart. */
  detail: string;
  enabled: boolean;
  /** Null while nothing runs. */
  pid: number | null;
  restarts: number;
  /** As systemd writes it; null when it never was. For a timer: its last and next run. */
  since: string | null;
  next: string | null;
  /** How the last run ended, e.g. success, exit-code, timeout, signal. */
  result: string;
}

const properties = [
  'Id',
  'LoadState',
  'ActiveState',
  'SubState',
  'UnitFileState',
  'MainPID',
  'NRestarts',
  'StateChangeTimestamp',
  'LastTriggerUSec',
  'NextElapseUSecRealtime',
  'Result',
];

/** The state of each unit, from systemd. */
export async function readServiceStatus(machine: Machine): Promise<UnitStatus[]> {
  const args = ['show', '--no-pager', `--property=${properties.join(',')}`, ...unitNames];
  const { stdout } = await machine.run('systemctl', args);
  return stdout
    .trim()
    .split(/\n\s*\n/)
    .map(parseUnit);
}

function parseUnit(block: string): UnitStatus {
  const said = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)] as const;
    }),
  );
  const text = (name: string) => {
    const value = said.get(name) ?? '';
    return value === '' || value === 'n/a' || value === '0' ? null : value;
  };
  return {
    unit: said.get('Id') ?? '',
    installed: said.get('LoadState') === 'loaded',
    state: said.get('ActiveState') ?? 'unknown',
    detail: said.get('SubState') ?? '',
    enabled: said.get('UnitFileState') === 'enabled',
    pid: Number(text('MainPID')) || null,
    restarts: Number(text('NRestarts')),
    since: text('LastTriggerUSec') ?? text('StateChangeTimestamp'),
    next: text('NextElapseUSecRealtime'),
    result: said.get('Result') ?? '',
  };
}

/** The units that should run and do not, and the backup if the last one failed. */
export function unwell(units: readonly UnitStatus[]): UnitStatus[] {
  return units.filter(
    ({ unit, state, installed }) =>
      !installed ||
      !(state === 'active' || (unit === 'assistant-backup.service' && state !== 'failed')),
  );
}
