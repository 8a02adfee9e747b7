import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '../../platform/errors.js';
import { homeFolder } from '../../platform/home-folder.js';

const storedSession = z.object({
  email: z.string(),
  token: z.string(),
  /** When the token expires, in milliseconds since 1970. */
  expiresAt: z.number(),
  refreshToken: z.string(),
});
export type StoredSession = z.output<typeof storedSession>;

const storedSessions = z.record(z.string(), storedSession);
/** Sessions by server address, in the form of serverKey. */
export type StoredSessions = z.output<typeof storedSessions>;

/** An older lock was left by a program that was killed. */
const staleMs = 60_000;
const patienceMs = 30_000;

/** The file with this person's sessions. Errors: `usage` where the person has no folder for it. */
function sessionFilePath(): string {
  const isWindows = process.platform === 'win32';
  const home = homeFolder();
  const usual = isWindows ? ['AppData', 'Roaming'] : ['.config'];
  // An empty variable counts as none: the session must not come to lie in the present folder.
  const base =
    process.env[isWindows ? 'APPDATA' : 'XDG_CONFIG_HOME'] ||
    (home === undefined ? undefined : join(home, ...usual));
  if (base !== undefined) return join(base, 'assistant', 'sessions.json');
  const sentence =
    'There is no home folder that keeps the session of assistant login. Set HOME or XDG_CONFIG_HOME. For ingest, --token-file needs neither.';
  throw new AppError('usage', sentence);
}

export function serverKey(url: URL): string {
  return url.href.replace(/\/+$/, '');
}

/** A missing or invalid file counts as no sessions. */
export async function readSessions(): Promise<StoredSessions> {
  const text = await readFile(sessionFilePath(), 'utf8').catch(() => '{}');
  try {
    return storedSessions.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

/**
 * Changes the stored sessions under a lock: two programs that refresh the same session at once would end it. `change`
 * may modify its argument. The result is written to a file that only its owner may read.
 */
export async function changeSessions<T>(
  change: (sessions: StoredSessions) => Promise<T>,
): Promise<T> {
  const path = sessionFilePath();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const lock = `${path}.lock`;
  await takeLock(lock);
  try {
    const sessions = await readSessions();
    try {
      return await change(sessions);
    } finally {
      const draft = `${path}.new`;
      await rm(draft, { force: true });
      await writeFile(draft, `${JSON.stringify(sessions, null, 2)}\n`, { mode: 0o600 });
      await rename(draft, path);
    }
  } finally {
    await rm(lock, { force: true });
  }
}

async function takeLock(lock: string): Promise<void> {
  const until = Date.now() + patienceMs;
  for (;;) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
    }
    const age = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > staleMs) await rm(lock, { force: true });
    else if (Date.now() > until) {
      const sentence = `Another program keeps the sessions busy. If none runs, remove ${lock}.`;
      throw new AppError('conflict', sentence);
    } else await wait(50);
  }
}
