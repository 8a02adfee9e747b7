import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../src/platform/package-root.js';
import type { HostedCommand, HostedResult } from './cli-host.js';
import { readFiles, writeFiles, type WrittenFile } from './copy-files.js';
import { makeTemporaryFolder } from './temporary-folder.js';

export const program = join(packageRoot(), 'bin', 'assistant.js');

export interface CliResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** The input of the program, which is closed after it. */
  input?: string | Uint8Array;
}

/** An installation in a folder of its own, in which the program runs as a process. */
export interface TestInstallation {
  folder: string;
  run(args: string[], options?: RunOptions): Promise<CliResult>;
  /** The JSON document of a command with --json. Fails if standard output contains anything else. */
  json<T>(args: string[], options?: RunOptions): Promise<T>;
  /** Starts the program and leaves it running. Its input is empty, or a pipe that stays open. */
  start(args: string[], env?: Record<string, string>, input?: 'empty' | 'open'): RunningCli;
  /** Removes the folder, and ends processes of a failed test, which would prevent the end of the whole run. */
  remove(): Promise<void>;
}

export interface RunningCli {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when the stream (default: standard output) matches. Rejects if the program ends before. */
  until(pattern: RegExp, stream?: 'stdout' | 'stderr'): Promise<RegExpExecArray>;
  ended: Promise<CliResult>;
}

/** Settings for every test: no model of this machine, and short leases. */
const environment = {
  ASSISTANT_OLLAMA_URL: 'http://127.0.0.1:9',
  ASSISTANT_INGESTION_LEASE_MS: '1000',
  ASSISTANT_INGESTION_POLL_MS: '50',
  ASSISTANT_LOG_LEVEL: 'error',
  NO_COLOR: '1',
};

function inherited(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('ASSISTANT_'));
  return Object.fromEntries(kept);
}

function parsed(stdout: string, stderr: string): never {
  try {
    return JSON.parse(stdout) as never;
  } catch {
    throw new Error(`standard output is no JSON document: ${stdout}\n${stderr}`);
  }
}

/** `started` is Node and the file of the program, by default those of this repository. */
export async function makeInstallation(
  started: readonly [node: string, file: string] = [process.execPath, program],
): Promise<TestInstallation> {
  const folder = await makeTemporaryFolder();
  const left = new Set<RunningCli>();
  const start = (
    args: string[],
    env: Record<string, string> = {},
    input?: string | Uint8Array | { open: true },
  ): RunningCli => {
    const child = spawn(started[0], [started[1], ...args], {
      cwd: folder.path,
      env: { ...inherited(), ...environment, ...env },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    if (typeof input === 'string' || input instanceof Uint8Array) child.stdin?.end(input);
    const running = observe(child);
    left.add(running);
    void running.ended.then(() => left.delete(running));
    return running;
  };
  return {
    folder: folder.path,
    run: (args, options = {}) => start(args, options.env, options.input).ended,
    async json(args, options = {}) {
      const { stdout, stderr } = await start([...args, '--json'], options.env, options.input).ended;
      return parsed(stdout, stderr);
    },
    start: (args, env, input) => start(args, env, input === 'open' ? { open: true } : undefined),
    async remove() {
      const running = [...left];
      running.forEach(({ child }) => child.kill('SIGKILL'));
      await Promise.all(running.map(({ ended }) => ended));
      await folder.remove();
    },
  };
}

export interface Host {
  /** Runs one command to its end. */
  run(args: string[], env?: Record<string, string>): Promise<HostedResult>;
  /** The JSON document of a command with --json. */
  json<T>(args: string[], env?: Record<string, string>): Promise<T>;
  /** Ends processes of a failed test. */
  stop(): Promise<void>;
}

/** Processes that wait for their next command. They end with the process of the tests. */
const idle: ChildProcess[] = [];

/**
 * Runs many commands one after the other in one process, because a process takes longer to start than most commands
 * take to run. All installations share such processes.
 */
export function startHost({ folder }: Pick<TestInstallation, 'folder'>): Host {
  const busy = new Set<ChildProcess>();
  const run = async (args: string[], env: Record<string, string> = {}) => {
    const child = idle.pop() ?? forkHost();
    busy.add(child);
    holdRun(child, true);
    try {
      const result = await runIn(child, { folder, args, env: { ...environment, ...env } });
      idle.push(child);
      return result;
    } finally {
      busy.delete(child);
      holdRun(child, false);
    }
  };
  return {
    run,
    async json(args, env) {
      const { stdout, stderr } = await run([...args, '--json'], env);
      return parsed(stdout, stderr);
    },
    async stop() {
      const closed = [...busy].map((child) => once(child, 'close'));
      // Commands would take time to end in order after SIGTERM.
      busy.forEach((child) => child.kill('SIGKILL'));
      await Promise.all(closed);
    },
  };
}

function forkHost(): ChildProcess {
  const script = fileURLToPath(new URL('./cli-host.js', import.meta.url));
  const child = fork(script, { env: inherited(), stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  // The program must not find the terminal of the tests.
  child.stderr?.on('data', (bytes: Buffer) => process.stderr.write(bytes));
  return child;
}

/** Only a working host keeps the test run alive, not a waiting one. */
function holdRun(child: ChildProcess, hold: boolean): void {
  const method = hold ? 'ref' : 'unref';
  for (const part of [child, child.channel, child.stderr as Socket | null]) part?.[method]();
}

function runIn(child: ChildProcess, command: HostedCommand): Promise<HostedResult> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`the host ended in: ${command.args.join(' ')}`));
    child.once('close', ended);
    child.once('message', (result) => {
      child.off('close', ended);
      resolve(result as HostedResult);
    });
    child.send(command);
  });
}

/** The same installation, in which a host runs all commands without input. */
export function hosted(installation: TestInstallation): TestInstallation {
  const host = startHost(installation);
  return {
    ...installation,
    async run(args, options = {}) {
      if (options.input !== undefined) return installation.run(args, options);
      return { ...(await host.run(args, options.env)), signal: null };
    },
    json: (args, options = {}) =>
      options.input === undefined ? host.json(args, options.env) : installation.json(args, options),
    async remove() {
      await host.stop();
      await installation.remove();
    },
  };
}

/** The files of one `assistant init` for all installations of a run, because it takes a second each time. */
let initialized: Promise<WrittenFile[]> | undefined;

/** An installation as `assistant init` sets it up for docs.acme.example. */
export async function makeInitialized(): Promise<TestInstallation> {
  initialized ??= initializeOnce();
  const files = await initialized;
  const installation = await makeInstallation();
  await writeFiles(installation.folder, files);
  return installation;
}

async function initializeOnce(): Promise<WrittenFile[]> {
  const installation = await makeInstallation();
  try {
    const args = ['init', '--yes', '--organization', 'Acme', '--domain', 'docs.acme.example'];
    const { code, stderr } = await installation.run([...args, '--email', 'ada@acme.example'], {
      env: { ASSISTANT_PASSWORD: 'correct horse' },
    });
    if (code !== 0) throw new Error(`init ended with ${String(code)}: ${stderr}`);
    return await readFiles(installation.folder);
  } finally {
    await installation.remove();
  }
}

function observe(child: ChildProcess): RunningCli {
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    watchers.forEach((look) => look());
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    watchers.forEach((look) => look());
  });
  const ended = new Promise<CliResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    until: (pattern, stream = 'stdout') =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(stream === 'stdout' ? stdout : stderr);
          if (match === null) return;
          watchers.delete(look);
          resolve(match);
        };
        watchers.add(look);
        look();
        void ended.then(() =>
          reject(new Error(`ended without ${String(pattern)}: ${stdout}\n${stderr}`)),
        );
      }),
  };
}
