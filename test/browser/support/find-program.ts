import { spawnSync } from 'node:child_process';

/** A program that tests need, and how to find or install it. */
export interface Program {
  name: string;
  /** The environment variable that may name it. */
  variable: string;
  /** The paths at which it may be installed. */
  paths: string[];
  /** An argument and the expected answer, since some systems have a script there that only explains the installation. */
  asked: string;
  answers: RegExp;
  /** Packages of Debian and Ubuntu. */
  packages: string[];
}

/**
 * The path of a program that runs here: the one that its variable names, one that is installed, or one that is
 * installed now, by apt. Throws a sentence that says what is missing; tests are never skipped for it.
 */
export function findProgram(program: Program): string {
  const { name, variable, packages } = program;
  const chosen = process.env[variable];
  if (chosen !== undefined && chosen !== '') {
    if (runs(chosen, program)) return chosen;
    throw new Error(`${variable} names ${chosen}, which does not run as ${name}.`);
  }
  const found = findInstalled(program);
  if (found !== undefined) return found;
  const failure = installByApt(packages);
  const now = findInstalled(program);
  if (now !== undefined) return now;
  throw new Error(
    `The tests need ${name}, and it could not be installed. Install it` +
      ` (Debian: ${packages.join(' ')}), or name its path in ${variable}.\n${failure ?? ''}`,
  );
}

export function findInstalled(program: Program): string | undefined {
  return program.paths.find((path) => runs(path, program));
}

function runs(path: string, { asked, answers }: Program): boolean {
  const { status, stdout, stderr } = spawnSync(path, [asked], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  return status === 0 && answers.test(stdout + stderr);
}

function installByApt(packages: string[]): string | undefined {
  const failure = run([...apt(), 'update']);
  // The existing list may suffice even if the update failed.
  return installPackages(packages) ?? failure;
}

/** Installs packages by the existing lists. Returns the error, if any. */
export function installPackages(packages: string[]): string | undefined {
  return run([...apt(), 'install', '--no-install-recommends', ...packages]);
}

function apt(): string[] {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  return [...asRoot, 'apt-get', '-q', '-y'];
}

/** The last words of the error, or undefined without one. */
export function run([command = '', ...args]: string[]): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: 300_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status === 0) return undefined;
  const words = error?.message ?? stderr.trim().split('\n').slice(-3).join(' / ');
  return `  ${[command, ...args].join(' ')}: ${words}`;
}
