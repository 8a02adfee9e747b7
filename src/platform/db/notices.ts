import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { pause, retryDelay } from '../retry.js';

/**
 * Hints to other processes on the same database. `jobs`: work may be waiting, or somebody has news. `claims`: somebody
 * reads or has cancelled an answer that another process makes. `answers`: such an answer has gone on.
 */
const kinds = ['jobs', 'claims', 'answers'] as const;
export type Notice = (typeof kinds)[number];

/** Hints may be lost, so that whoever follows them must also look from time to time. */
export interface Notices {
  /** Tells all other processes, at most ten times a second. Call it after the commit. Never fails. */
  send(notice: Notice): void;
  /**
   * Calls `listener` at a notice of another process, at most ten times a second, and when some may have been missed.
   * Returns a function that ends this.
   */
  on(notice: Notice, listener: () => void): () => void;
  close(): Promise<void>;
}

/** For databases that tell nobody of changes. */
export const noNotices: Notices = {
  send: () => undefined,
  on: () => () => undefined,
  close: () => Promise.resolve(),
};

/** A connection that receives texts of others, until it ends. */
export interface ListeningConnection {
  on(event: 'notification', tell: (notification: { payload?: string | undefined }) => void): void;
  once(event: 'end', tell: () => void): void;
  query(statement: { text: string }): Promise<unknown>;
  end(): Promise<void>;
}

const apartMs = 100;
const delays = { firstMs: 500, longestMs: 30_000 };

/** Listens from the first listener on, and connects again by itself whenever the connection is lost. */
export function createNotices({
  notify,
  connect,
}: {
  /** Sends a text to all connections that listen. */
  notify: (text: string) => Promise<unknown>;
  connect: () => Promise<ListeningConnection>;
}): Notices {
  const own = randomUUID();
  const closing = new AbortController();
  const { signal } = closing;
  const isClosing = () => signal.aborted;
  const listeners = new Map(kinds.map((kind) => [kind, new Set<() => void>()]));
  const telling = new Map(
    kinds.map((kind) => [kind, seldom(() => listeners.get(kind)?.forEach((tell) => tell()))]),
  );
  const underWay = new Set<Promise<unknown>>();
  const send = (kind: Notice) => {
    const sent = notify(`${kind} ${own}`)
      .catch(() => undefined)
      .finally(() => underWay.delete(sent));
    underWay.add(sent);
  };
  const sending = new Map(kinds.map((kind) => [kind, seldom(() => send(kind))]));
  let listening: Promise<void> | undefined;

  function hear({ payload = '' }: { payload?: string | undefined }): void {
    const [kind, sender] = payload.split(' ');
    if (sender !== own) telling.get(kind as Notice)?.run();
  }

  async function listen(): Promise<void> {
    for (let failures = 1; !isClosing(); failures++) {
      try {
        const connection = await connect();
        const end = () => void connection.end().catch(() => undefined);
        const ended = new Promise<void>((resolve) => connection.once('end', resolve));
        signal.addEventListener('abort', end, { once: true });
        if (isClosing()) end();
        connection.on('notification', hear);
        await Promise.race([connection.query({ text: 'listen assistant' }), ended]);
        failures = 0;
        telling.forEach(({ run }) => run());
        await ended;
        signal.removeEventListener('abort', end);
      } catch {
        // The database is away. Whoever listens looks from time to time.
      }
      await pause(retryDelay(failures + 1, delays), signal);
    }
  }

  return {
    send: (notice) => sending.get(notice)?.run(),
    on(notice, listener) {
      const all = listeners.get(notice);
      // A set holds a function once, and two may listen with the same one.
      const tell = () => listener();
      all?.add(tell);
      listening ??= listen();
      return () => all?.delete(tell);
    },
    async close() {
      closing.abort();
      [...telling.values(), ...sending.values()].forEach(({ stop }) => stop());
      // A command that has something to tell ends at once. A connection whose other side has vanished does not end.
      const done = Promise.all([listening, ...underWay]);
      await Promise.race([done, wait(1000, undefined, { ref: false })]);
    },
  };
}

/** Waits for notices one after the other, and misses none between two waits. */
export interface NoticeReader {
  /** Resolves at a notice since the last wait, after some milliseconds without one, or when the signal aborts. */
  next(ms: number, signal: AbortSignal): Promise<void>;
  end(): void;
}

export function readNotices(notices: Notices, notice: Notice): NoticeReader {
  let came = new AbortController();
  const end = notices.on(notice, () => came.abort());
  return {
    end,
    async next(ms, signal) {
      const stop = () => came.abort();
      signal.addEventListener('abort', stop, { once: true });
      if (!signal.aborted) await pause(ms, came.signal);
      signal.removeEventListener('abort', stop);
      came = new AbortController();
    },
  };
}

/** Runs `act` at once, or when some time has passed since it last ran: several calls meanwhile run it once. */
function seldom(act: () => void): { run: () => void; stop: () => void } {
  let ranAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    timer = undefined;
    ranAt = performance.now();
    act();
  };
  return {
    run() {
      if (timer !== undefined) return;
      const restMs = ranAt + apartMs - performance.now();
      if (restMs <= 0) run();
      else timer = setTimeout(run, restMs).unref();
    },
    stop: () => clearTimeout(timer),
  };
}
