import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeFolder } from '../../platform/home-folder.js';

/** The units of systemd whose processes run the product. */
export const processUnits = ['assistant-server.service', 'assistant-worker.service'] as const;

export interface ServiceUnits {
  names: string[];
  /** The folder of the installation that the first unit runs. */
  installation: string | undefined;
  /** Units of the present user, not of the system. */
  ofUser: boolean;
}

/** The units that are installed on this machine; undefined without any, and where there is no systemd. */
export function findUnits(root = '/', home = homeFolder()): ServiceUnits | undefined {
  const places = [
    { ofUser: false, folder: join(root, 'etc/systemd/system') },
    { ofUser: false, folder: join(root, 'usr/lib/systemd/system') },
    ...(home === undefined ? [] : [{ ofUser: true, folder: join(home, '.config/systemd/user') }]),
  ];
  for (const { ofUser, folder } of places) {
    const names = processUnits.filter((name) => existsSync(join(folder, name)));
    const [first] = names;
    if (first === undefined) continue;
    return { names, ofUser, installation: folderOf(join(folder, first)) };
  }
  return undefined;
}

/** The command that starts, stops or restarts the service. */
export function serviceCommand(
  verb: 'start' | 'restart',
  units: Omit<ServiceUnits, 'installation'> | undefined = findUnits(),
): string | undefined {
  if (units === undefined) return undefined;
  const names = units.names.map((name) => name.replace('.service', '')).join(' ');
  return units.ofUser ? `systemctl --user ${verb} ${names}` : `sudo systemctl ${verb} ${names}`;
}

function folderOf(unit: string): string | undefined {
  try {
    return /^WorkingDirectory=(.+)$/m.exec(readFileSync(unit, 'utf8'))?.[1];
  } catch {
    // A person may have made the unit unreadable for others.
    return undefined;
  }
}
