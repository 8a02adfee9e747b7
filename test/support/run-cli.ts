import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
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
  /** What the program reads; its input is closed after it. */
  input?: string | Uint8Array;
}

/** An installation in a folder of its own, and the program run in it as a process. */
export interface TestInstallation {
  folder: string;
  run(args: string[], options?: RunOptions): Promise<CliResult>;
  /** The JSON document that a command answers with --json; fails where standard output is not exactly that. */
  json<T>(args: string[], options?: RunOptions): Promise<T>;
  /** Starts the program and leaves it running; its input is empty, or a pipe that stays open. */
  start(args: string[], env?: Record<string, string>, input?: 'empty' | 'open'): RunningCli;
  /** Removes the folder, and ends what a failed test left running: it would keep the whole run from ending. */
  remove(): Promise<void>;
}

export interface RunningCli {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when standard output, or what is named, matches; rejects when the program ends before. */
  until(pattern: RegExp, stream?: 'stdout' | 'stderr'): Promise<RegExpExecArray>;
  ended: Promise<CliResult>;
}

/** Settings that every test runs with: no model that happens to run here, and leases that end soon. */
const environment = {
  ASSISTANT_OLLAMA_URL: 'http://127.0.0.1:9',
  ASSISTANT_INGESTION_LEASE_MS: '1000',
  ASSISTANT_INGESTION_POLL_MS: '50',
  ASSISTANT_LOG_LEVEL: 'error',
  NO_COLOR: '1',
};

export async function makeInstallation(): Promise<TestInstallation> {
  const folder = await makeTemporaryFolder();
  const left = new Set<RunningCli>();
  const start = (
    args: string[],
    env: Record<string, string> = {},
    input?: string | Uint8Array | { open: true },
  ): RunningCli => {
    const inherited = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('ASSISTANT_')),
    );
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder.path,
      env: { ...inherited, ...environment, ...env },
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
      try {
        return JSON.parse(stdout) as never;
      } catch {
        throw new Error(`standard output is no JSON document: ${stdout}\n${stderr}`);
      }
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
  /** Runs one command to its end; one at a time. */
  run(args: string[], env?: Record<string, string>): Promise<HostedResult>;
  /** The JSON document that a command answers with --json. */
  json<T>(args: string[], env?: Record<string, string>): Promise<T>;
  stop(): Promise<void>;
}

/**
 * The program in one process that runs many commands, one after the other: for tests of what they answer, since a
 * process takes longer to start than most of them take to run.
 */
export function startHost({ folder }: Pick<TestInstallation, 'folder'>): Host {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('ASSISTANT_'));
  const script = fileURLToPath(new URL('./cli-host.js', import.meta.url));
  const child = fork(script, {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'close');
  const run = async (args: string[], env = {}): Promise<HostedResult> => {
    const command: HostedCommand = { args, env };
    child.send(command);
    const [result] = (await Promise.race([
      once(child, 'message'),
      ended.then(() => Promise.reject(new Error(`the host ended in: ${args.join(' ')}`))),
    ])) as [HostedResult];
    return result;
  };
  return {
    run,
    async json(args, env) {
      const { stdout, stderr } = await run([...args, '--json'], env);
      try {
        return JSON.parse(stdout) as never;
      } catch {
        throw new Error(`standard output is no JSON document: ${stdout}\n${stderr}`);
      }
    },
    async stop() {
      // Commands take SIGTERM for a wish to end in order.
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** What `assistant init` has once written, for all installations of a run: it takes a second each time. */
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
