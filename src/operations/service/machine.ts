import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { AppError } from '../../platform/errors.js';

/** The folders of units, and the system's programs that manage them. */
export interface Machine {
  /** The folder of the units. */
  units: string;
  isRoot: boolean;
  /** True when systemd runs the machine. */
  hasSystemd: boolean;
  /** Runs a program to its end. Rejects when it can't be started. */
  run(command: string, args: readonly string[]): Promise<Ran>;
}

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** How long a question to systemd may take, and a change, in milliseconds. A server that stops finishes its answers. */
const answerMs = 5000;
const changeMs = 180_000;

function unanswered(command: string, args: readonly string[], ms: number): AppError {
  const sentence = `${[command, ...args].join(' ')} did not end within ${ms / 1000} s. Check systemd: systemctl status`;
  return new AppError('unprocessable', sentence);
}

export const thisMachine: Machine = {
  units: '/etc/systemd/system',
  isRoot: process.getuid?.() === 0,
  hasSystemd: existsSync('/run/systemd/system'),
  run: (command, args) =>
    new Promise((resolve, reject) => {
      const timeout = /^(?:--version|show)$/.test(args[0] ?? '') ? answerMs : changeMs;
      const env = { ...process.env, LC_ALL: 'C' };
      const options = { env, encoding: 'utf8', timeout, killSignal: 'SIGKILL' } as const;
      execFile(command, args, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        if (error?.killed === true) reject(unanswered(command, args, timeout));
        else if (typeof code === 'number') resolve({ code, stdout, stderr });
        else reject(new AppError('unprocessable', `${command} can't be run: ${String(code)}.`));
      });
    }),
};

/** Errors: `unprocessable` where systemd does not run the machine. */
export function requireSystemd({ hasSystemd }: Machine): void {
  if (hasSystemd) return;
  const message =
    'systemd does not run this machine, so there is nothing to install services in. Print the units for another machine with: assistant service install --print';
  throw new AppError('unprocessable', message);
}

/** The version of systemd, e.g. 252; a recent one if there is none. */
export async function systemdVersion(machine: Machine): Promise<number> {
  const { stdout } = await machine
    .run('systemctl', ['--version'])
    .catch(() => ({ stdout: 'systemd 255' }));
  return Number(/^systemd (\d+)/.exec(stdout)?.[1] ?? 255);
}
