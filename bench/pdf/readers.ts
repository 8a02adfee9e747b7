import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { configSchema } from '../../src/platform/config/schema.js';
import { packageRoot } from '../../src/platform/package-root.js';
import type { ReadReply, ReadRequest, ReaderName, ReaderSettings } from './reader-process.js';

const run = promisify(execFile);
const dist = join(packageRoot(), 'dist');
const program = join(dist, 'bench', 'pdf', 'reader-process.js');
/** The program of the threads: one file, as an installation has it, or the modules, which a profile names. */
const threads = { installed: 'cli', modules: 'src' } as const;
/** A reader that takes longer for one file is ended; files that keep readers busy for ever exist. */
const patienceMs = 180_000;

function settingsOf(thread: keyof typeof threads): ReaderSettings {
  const { ingestion } = configSchema.parse({});
  return {
    thread: pathToFileURL(join(dist, threads[thread], 'documents/document-thread.js')).href,
    threadMemoryMb: ingestion.thread_memory_mb,
    limits: {
      maxPages: ingestion.max_pages,
      pageTimeoutMs: ingestion.page_timeout_ms,
      fileTimeoutMs: ingestion.file_timeout_ms,
      sectionMaxChars: ingestion.section_max_chars,
      sectionMinChars: ingestion.section_min_chars,
    },
  };
}

/** A reader in a process of its own, started when it is first asked: what one loads or patches helps no other. */
export class Reader {
  #child: ChildProcess | undefined;

  constructor(
    readonly name: ReaderName,
    /** Arguments for Node itself, e.g. to write a profile. */
    readonly nodeOptions: readonly string[] = [],
    readonly thread: keyof typeof threads = 'installed',
  ) {}

  async read(path: string, timeOnly = false): Promise<ReadReply> {
    const child = (this.#child ??= fork(
      program,
      [this.name, JSON.stringify(settingsOf(this.thread))],
      {
        serialization: 'advanced',
        execArgv: [...this.nodeOptions],
        // pdf.js warns of what it repairs; the tables are for people.
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    ));
    const ended = new AbortController();
    const patience = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    const dead = once(child, 'exit', { signal: ended.signal }).then((): ReadReply => {
      this.#child = undefined;
      const message = `The reader ended, or took longer than ${patienceMs / 1000} s.`;
      return { outcome: 'reader_died', message, seconds: 0, cpuSeconds: 0, pageCount: 0 };
    });
    dead.catch(() => undefined);
    const reply = once(child, 'message', { signal: ended.signal }).then(
      ([message]) => message as ReadReply,
    );
    reply.catch(() => undefined);
    const request: ReadRequest = { path, timeOnly };
    child.send(request);
    try {
      return await Promise.race([reply, dead]);
    } finally {
      clearTimeout(patience);
      ended.abort();
    }
  }

  /** Resolves when the process has ended, with what it writes at its end. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  }
}

/** The text by pdftotext (poppler-utils), or undefined where it fails. */
export async function readByPdftotext(
  path: string,
  options: readonly string[] = [],
  output = '-',
): Promise<string | undefined> {
  const size = { maxBuffer: 2 ** 30, timeout: patienceMs };
  return run('pdftotext', [...options, '-enc', 'UTF-8', path, output], size).then(
    ({ stdout }) => stdout,
    () => undefined,
  );
}

export async function hasPdftotext(): Promise<boolean> {
  return run('pdftotext', ['-v']).then(
    () => true,
    () => false,
  );
}
