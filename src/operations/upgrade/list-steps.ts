import { existsSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { packageRoot } from '../../platform/package-root.js';
import { isInContainer } from '../examine-models.js';

/** How this program came here. `local`: as a dependency of a project. `folder`: none of the others. */
export type Origin = 'container' | 'npm' | 'local' | 'git' | 'folder';

export interface StepFacts {
  origin: Origin;
  /** The name in the registry; undefined when it has none. */
  packageName: string | undefined;
  /** The version to install; undefined when the installed one stays. */
  version: string | undefined;
  /** True when systemd runs the program by the units of `assistant service`. */
  isService: boolean;
  /** The configuration, where a command does not find it by itself. */
  configFile: string | undefined;
  /** True when the database lacks something that the installed program has. */
  isPending: boolean;
}

/** One step of an upgrade: a command, or a sentence where no command can be known. */
export interface Step {
  does: string;
  command: string | null;
}

export const units = ['assistant-server', 'assistant-worker'];

/** The steps of an upgrade, in order; empty when there is nothing to do. */
export function listSteps(facts: StepFacts): Step[] {
  const { origin, packageName, version, isService, isPending } = facts;
  if (version === undefined && !isPending) return [];
  const assistant = (words: string) => `assistant ${words}${configOption(facts)}`;
  const systemctl = (verb: string) =>
    isService ? `sudo systemctl ${verb} ${units.join(' ')}` : null;
  const steps: Step[] = [];
  if (version !== undefined && packageName !== undefined) {
    steps.push({
      does: 'Rehearse the new version on a copy of the database',
      command: `npx --yes --package ${packageName}@${version} ${assistant('upgrade --check')}`,
    });
  }
  steps.push(
    { does: 'Make a backup', command: assistant('backup') },
    { does: 'Stop assistant serve and assistant worker', command: systemctl('stop') },
  );
  if (version !== undefined) {
    steps.push({
      does: 'Install the new version',
      command: installCommand(origin, packageName, version),
    });
  }
  steps.push(
    { does: 'Upgrade the database', command: assistant('upgrade') },
    { does: 'Start assistant serve and assistant worker', command: systemctl('start') },
    { does: 'Look whether all is well', command: assistant('doctor') },
  );
  return steps;
}

function installCommand(
  origin: Origin,
  packageName: string | undefined,
  version: string,
): string | null {
  if (origin === 'git') return `cd ${quoted(packageRoot())} && git pull && npm ci`;
  if (packageName === undefined) return null;
  if (origin === 'npm') return `npm install --global ${packageName}@${version}`;
  // A container gets the program with its image.
  return origin === 'local' ? `npm install ${packageName}@${version}` : null;
}

function configOption({ configFile }: StepFacts): string {
  return configFile === undefined ? '' : ` --config ${quoted(configFile)}`;
}

function quoted(path: string): string {
  return /^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** How the running program came here. */
export function findOrigin(root = packageRoot(), inContainer = isInContainer()): Origin {
  if (inContainer) return 'container';
  const modules = `${sep}node_modules${sep}`;
  if (root.includes(modules)) {
    const above = root.slice(0, root.lastIndexOf(modules));
    // npm keeps global packages in lib/node_modules, on Windows in npm\node_modules.
    return ['lib', 'npm'].includes(basename(above)) ? 'npm' : 'local';
  }
  return existsSync(join(root, '.git')) ? 'git' : 'folder';
}

/** True when systemd has one of the units. */
export function hasUnits(folder = '/etc/systemd/system'): boolean {
  return units.some((unit) => existsSync(join(folder, `${unit}.service`)));
}

/** The file to name with --config; undefined for the one that every command finds in its folder. */
export function configToName(file: string | undefined): string | undefined {
  return file === undefined || resolve(file) === resolve('config.yaml') ? undefined : resolve(file);
}
