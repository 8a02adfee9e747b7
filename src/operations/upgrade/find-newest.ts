import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../platform/package-root.js';

/** The newest version in the registry that npm is configured with, or why it is unknown. */
export type Newest =
  | { version: string; node: string | null; reason: null }
  | { version: null; node: null; reason: string };

interface AskOptions {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  env?: NodeJS.ProcessEnv;
}

/** The name under which a registry has this program: the configured one, else that of package.json unless it is private. */
export function packageName(configured: string): string | undefined {
  if (configured !== '') return configured;
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  const own = JSON.parse(text) as { name: string; private?: boolean };
  return own.private === true ? undefined : own.name;
}

/** Asks npm, which knows its registry, its proxy and its password. Never rejects, except with the signal's reason. */
export async function findNewest(name: string | undefined, options: AskOptions): Promise<Newest> {
  if (name === undefined) {
    return unknown(
      'this program is in no registry: get a new version from where this one came from',
    );
  }
  const { code, stdout } = await view(name, options);
  options.signal?.throwIfAborted();
  if (code === 'ENOENT') return unknown('npm is not installed here');
  if (code === 'timeout') return unknown('the registry of npm did not answer in time');
  return readReply(name, stdout);
}

interface Reply {
  version?: unknown;
  'engines.node'?: unknown;
  error?: { code?: unknown };
}

function readReply(name: string, stdout: string): Newest {
  const reply = parsed(stdout);
  // npm answers a single field without its name.
  if (typeof reply === 'string') return { version: reply, node: null, reason: null };
  if (typeof reply?.version === 'string') {
    const { version, 'engines.node': node } = reply;
    return { version, node: typeof node === 'string' ? node : null, reason: null };
  }
  const code = typeof reply?.error?.code === 'string' ? reply.error.code : 'nothing that is known';
  if (code === 'E404') return unknown(`the registry of npm has no package ${name}`);
  if (
    /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|E?TIMEDOUT|ENOTCACHED)$/.test(
      code,
    )
  ) {
    return unknown('the registry of npm can’t be reached');
  }
  return unknown(`npm answered ${code}`);
}

function unknown(reason: string): Newest {
  return { version: null, node: null, reason };
}

function parsed(text: string): string | Reply | undefined {
  try {
    return JSON.parse(text) as string | Reply;
  } catch {
    return undefined;
  }
}

/** `code` is `timeout`, or the code of a failed start. A refusal by the registry is in `stdout`. */
function view(
  name: string,
  { timeoutMs, signal, env = process.env }: AskOptions,
): Promise<{ code: string; stdout: string }> {
  const args = ['view', name, 'version', 'engines.node', '--json', '--fetch-retries=0'];
  const windows = process.platform === 'win32';
  return new Promise((resolve) => {
    execFile(
      'npm',
      [...args, `--fetch-timeout=${timeoutMs}`, '--no-update-notifier'],
      // On Windows npm is a script, which only a shell starts. The name was checked by the configuration's schema.
      { env, timeout: timeoutMs, killSignal: 'SIGKILL', shell: windows, signal },
      (error, stdout) => {
        const code = error?.killed === true ? 'timeout' : String(error?.code ?? '');
        resolve({ code, stdout });
      },
    );
  });
}

/** Compares versions by their numbers. A version with a suffix, as 2.0.0-beta, comes before the one without. */
export function isNewer(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => {
    const [numbers = '', suffix] = text.split('-');
    return [...numbers.split('.').map(Number), suffix === undefined ? 1 : 0];
  });
  for (const [index, number] of (left ?? []).entries()) {
    const other = right?.[index] ?? 0;
    if (number !== other) return number > other;
  }
  return false;
}
