import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { packageRoot } from '../../platform/package-root.js';
import { isInContainer } from '../examine-models.js';

/**
 * How the program was installed. `npx`: not at all, only fetched for this command. `local`: as a dependency of a project.
 * `folder`: in any other way.
 */
export type Origin = 'container' | 'npx' | 'npm' | 'local' | 'git' | 'folder';

export interface StepFacts {
  origin: Origin;
  /** The package's name in the registry, if it has one. */
  packageName: string | undefined;
  /** The version to install; undefined when the installed one stays. */
  version: string | undefined;
  /** The user that systemd runs the units of `assistant service` as; undefined without them. */
  serviceUser: string | undefined;
  /** The configuration, if commands must be given its path. */
  configFile: string | undefined;
  /** True when the database lacks something that the installed program has. */
  isPending: boolean;
}

/** One step of an upgrade: a command, or a sentence where no command can be known. */
export interface Step {
  does: string;
  command: string | null;
}

const units = ['assistant-server', 'assistant-worker'];

/** The steps of an upgrade, in order; empty when there is nothing to do. */
export function listSteps(facts: StepFacts): Step[] {
  const { origin, packageName, version, serviceUser, isPending } = facts;
  if (version === undefined && !isPending) return [];
  // Only the user of the service may read the data, and only root may replace a program that all users have.
  const [asUser, asRoot] =
    serviceUser === undefined ? ['', ''] : [`sudo -u ${serviceUser} `, 'sudo '];
  const assistant = (words: string) => `${asUser}assistant ${words}${configOption(facts)}`;
  const systemctl = (verb: string) =>
    serviceUser === undefined ? null : `sudo systemctl ${verb} ${units.join(' ')}`;
  const steps: Step[] = [];
  if (version !== undefined && packageName !== undefined) {
    steps.push({
      does: 'Rehearse the new version on a copy of the database',
      command: `${asRoot}npx --yes --allow-scripts=sqlite3 --package ${packageName}@${version} assistant upgrade --check${configOption(facts)}`,
    });
  }
  steps.push(
    { does: 'Make a backup', command: assistant('backup') },
    { does: 'Stop assistant serve and assistant worker', command: systemctl('stop') },
  );
  if (version !== undefined) {
    steps.push({
      does: 'Install the new version',
      command: installCommand(origin, packageName, version, asRoot),
    });
  } else if (origin === 'npx') {
    steps.push({
      does: 'Install this version, from the package that npx was given',
      command: null,
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
  asRoot: string,
): string | null {
  if (origin === 'git') return `cd ${quoted(packageRoot())} && git pull && npm ci`;
  if (packageName === undefined) return null;
  if (origin === 'npm') {
    return `${asRoot}npm install --global --allow-scripts=sqlite3 ${packageName}@${version}`;
  }
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
  if (root.includes(`${sep}_npx${sep}`)) return 'npx';
  if (root.includes(modules)) {
    const above = root.slice(0, root.lastIndexOf(modules));
    // npm keeps global packages in lib/node_modules, on Windows in npm\node_modules.
    return ['lib', 'npm'].includes(basename(above)) ? 'npm' : 'local';
  }
  return existsSync(join(root, '.git')) ? 'git' : 'folder';
}

/** The user of the units that systemd has; undefined without units. */
export function findServiceUser(folder = '/etc/systemd/system'): string | undefined {
  const files = units.map((unit) => join(folder, `${unit}.service`));
  const file = files.find((one) => existsSync(one));
  if (file === undefined) return undefined;
  return /^User=(.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 'root';
}

/** The file to pass with --config; undefined if commands find it in their folder. */
export function configToName(file: string | undefined): string | undefined {
  return file === undefined || resolve(file) === resolve('config.yaml') ? undefined : resolve(file);
}
