import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { shuttingDown } from '../../platform/errors.js';
import { createBounded, restFor } from '../../platform/workers/bounded.js';
import type { PasswordWork } from './password-thread.js';

declare module '../../platform/app.js' {
  interface App {
    passwords: PasswordHasher;
  }
}

/**
 * Hashes and compares passwords, one after the other, in a thread of its own, which answers and the database need not
 * wait for. Sign-ins share one waiting line. Each organization's signed-in people have a line of their own, so that
 * setting passwords does not delay sign-ins to another organization. Errors: `rate_limited` when too many wait in the
 * same line.
 */
export interface PasswordHasher {
  /** Returns an argon2id hash in PHC form. */
  hash(password: string, organizationId: number): Promise<string>;
  /**
   * Compares a password with a hash. Without a hash, it does the same work against a decoy that never matches, so that
   * the time does not reveal which accounts exist. `organizationId` is that of a person who is already signed in.
   */
  verify(hash: string | null, password: string, organizationId?: number): Promise<boolean>;
  /** Ends the thread for good. Work that waits, and later work, is refused with `shutting_down`. */
  close(): Promise<void>;
}

export function createPasswordHasher(): PasswordHasher {
  // Hashing takes the memory's bandwidth from others even at a low priority, so it has a quarter of the time. 60 waiting
  // hashes finish within four seconds.
  const turns = createBounded({ atOnce: 1, waiting: 60, rest: restFor(3) });
  let thread: Worker | undefined;
  let closed = false;

  /** Started by the first password, and again by the next one after it has ended. */
  async function startedThread(): Promise<Worker> {
    if (thread !== undefined) return thread;
    // Loaded here, because it takes milliseconds of each start of the program.
    const { Worker } = await import('node:worker_threads');
    // Work that waited for its turn, or for the import, must not start a thread that nobody ends.
    if (closed) throw shuttingDown();
    const started = new Worker(new URL('./password-thread.js', import.meta.url), {
      // Options of a program that was given as text, say, hold for no file.
      execArgv: [],
    });
    const forget = () => {
      if (thread === started) thread = undefined;
    };
    started.on('error', forget).once('exit', forget);
    return (thread = started);
  }

  function run<T>(work: PasswordWork, organizationId?: number): Promise<T> {
    const line = organizationId === undefined ? undefined : `organization ${organizationId}`;
    return turns.run(async () => (await resultOf(await startedThread(), work)) as T, line);
  }

  return {
    hash: (password, organizationId) => run({ kind: 'hash', password }, organizationId),
    verify: (hash, password, organizationId) =>
      run({ kind: 'verify', hash, password }, organizationId),
    async close() {
      closed = true;
      const ending = thread;
      thread = undefined;
      await ending?.terminate();
    },
  };
}

/** The thread keeps the process alive only while it works. */
async function resultOf(thread: Worker, work: PasswordWork): Promise<unknown> {
  const answered = new AbortController();
  const ended = once(thread, 'exit', answered).then(() => {
    throw new Error('The thread that hashes passwords has ended.');
  });
  thread.ref();
  thread.postMessage(work);
  try {
    const [result] = (await Promise.race([once(thread, 'message', answered), ended])) as unknown[];
    return result;
  } finally {
    answered.abort();
    thread.unref();
  }
}
