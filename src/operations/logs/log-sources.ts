import { spawn } from 'node:child_process';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as wait } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import { AppError, messageOf } from '../../platform/errors.js';
import type { ServiceUnits } from '../service/find-units.js';
import type { SourceLine } from './filter-lines.js';

/** Where a log is read from. Both end when `signal` aborts. */
export interface LogSource {
  /** The lines that are there. */
  existing(signal: AbortSignal): AsyncIterable<SourceLine>;
  /** The lines that are written from then on. Called after `existing` has ended. */
  following(signal: AbortSignal): AsyncIterable<SourceLine>;
}

/** How often a file is looked at for new lines, in milliseconds. */
const pollMs = 200;
/** In characters. */
const longestLine = 16 * 1024 ** 2;

/** A file, also one that is truncated or replaced while it is followed, as log rotation does. */
export function fileSource(path: string, isFollowed: boolean): LogSource {
  let file: FileHandle | undefined;
  let position = 0;
  const lines = createSplitter();

  async function* read(signal: AbortSignal): AsyncGenerator<SourceLine> {
    file ??= await open(path, 'r').catch((error: unknown) => {
      const sentence = `--file: ${path} can't be read (${messageOf(error)}).`;
      throw new AppError('not_found', sentence, { cause: error });
    });
    if ((await file.stat()).size < position) position = 0;
    const buffer = Buffer.alloc(65_536);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0 || signal.aborted) return;
      position += bytesRead;
      yield* lines.push(buffer.subarray(0, bytesRead));
    }
  }

  /** True when another file has the name now. Meanwhile there may be none. */
  async function isReplaced(): Promise<boolean> {
    const present = await stat(path).catch(() => undefined);
    const { ino } = (await file?.stat()) ?? {};
    return present !== undefined && present.ino !== ino;
  }

  return {
    async *existing(signal) {
      yield* read(signal);
      if (isFollowed) return;
      yield* lines.rest();
      await file?.close();
    },
    async *following(signal) {
      try {
        while (!signal.aborted) {
          yield* read(signal);
          if (await isReplaced()) {
            yield* read(signal);
            await file?.close();
            [file, position] = [undefined, 0];
          } else await wait(pollMs, undefined, { signal }).catch(() => undefined);
        }
      } finally {
        await file?.close();
      }
    },
  };
}

/** Standard input. When it is followed, its lines are shown as they come. */
export function streamSource(stream: Readable, isFollowed: boolean): LogSource {
  async function* read(signal: AbortSignal): AsyncGenerator<SourceLine> {
    const lines = createSplitter();
    const stop = () => void stream.destroy();
    signal.addEventListener('abort', stop);
    try {
      for await (const bytes of stream) yield* lines.push(bytes as Buffer);
      yield* lines.rest();
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
  return {
    async *existing(signal) {
      if (!isFollowed) yield* read(signal);
    },
    following: read,
  };
}

/** The journal of systemd. `options` are those of journalctl that narrow the existing lines. */
export function journalSource({ names, ofUser }: ServiceUnits, options: string[]): LogSource {
  const units = names.flatMap((name) => ['--unit', name]);
  const common = [...(ofUser ? ['--user'] : []), ...units, '--output=json', '--quiet'];
  let cursor: string | undefined;
  async function* read(args: string[], signal: AbortSignal): AsyncGenerator<SourceLine> {
    for await (const { text } of linesOf('journalctl', [...common, ...args], signal)) {
      const entry = JSON.parse(text) as Record<string, unknown>;
      cursor = String(entry['__CURSOR']);
      const micros = Number(entry['__REALTIME_TIMESTAMP']);
      const time = new Date(micros / 1000).toISOString();
      for (const line of messageIn(entry['MESSAGE']).split('\n')) yield { text: line, time };
    }
  }
  return {
    existing: (signal) => read(options, signal),
    following: (signal) => {
      const from = cursor === undefined ? ['--lines=0'] : ['--no-tail', `--after-cursor=${cursor}`];
      return read(['--follow', ...from], signal);
    },
  };
}

/** journalctl writes a message with control characters as its bytes. */
function messageIn(message: unknown): string {
  if (Array.isArray(message)) return Buffer.from(message as number[]).toString('utf8');
  return typeof message === 'string' ? message : '';
}

async function* linesOf(
  command: string,
  args: string[],
  signal: AbortSignal,
): AsyncGenerator<SourceLine> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], signal });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(messageOf(error)));
    child.once('close', (code) =>
      resolve(code === 0 ? undefined : complaint.trim().replace(/\.$/, '')),
    );
  });
  try {
    const lines = createSplitter();
    for await (const bytes of child.stdout) yield* lines.push(bytes as Buffer);
    yield* lines.rest();
    const failure = await ended;
    if (failure === undefined || signal.aborted) return;
    const sentence = `The journal can't be read by ${command}: ${failure || 'it failed'}. Run the command as root or as a member of the group systemd-journal.`;
    throw new AppError('internal', sentence);
  } finally {
    child.kill();
  }
}

/** Makes lines of bytes that arrive in pieces. */
function createSplitter() {
  const decoder = new StringDecoder('utf8');
  let left = '';
  return {
    push(bytes: Buffer): SourceLine[] {
      const [first = '', ...others] = decoder.write(bytes).split('\n');
      const lines = [left + first, ...others];
      left = lines.pop() ?? '';
      if (left.length > longestLine) {
        const sentence =
          'The file has a line of more than 16 MB, so it is no log. Name another file.';
        throw new AppError('invalid_request', sentence);
      }
      return lines.map((text) => ({ text: text.replace(/\r$/, '') }));
    },
    /** A last line without an end. */
    rest(): SourceLine[] {
      return left === '' ? [] : [{ text: left }];
    },
  };
}
