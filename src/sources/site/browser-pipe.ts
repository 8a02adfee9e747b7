import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { AppError } from '../../platform/errors.js';
import { pause } from '../../platform/retry.js';

type Fields = Record<string, unknown>;

export interface BrowserEvent {
  method: string;
  params: Fields;
  sessionId?: string;
}

/** A Chromium that is controlled by its DevTools protocol. */
export interface BrowserPipe {
  /** Rejects when the browser refuses the command, or has ended. */
  send: (method: string, params?: Fields, sessionId?: string) => Promise<Fields>;
  onEvent: (listener: (event: BrowserEvent) => void) => void;
  /** Ends the browser and deletes what it has stored. */
  close(): Promise<void>;
}

/**
 * The browser reaches no network: its proxy is a port that nothing listens on, also for this machine. All that its pages
 * ask for has to be answered over the pipe.
 */
const noNetwork = [
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
];
const plain = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-extensions',
  '--disable-sync',
  '--disable-gpu',
  '--mute-audio',
  '--js-flags=--max-old-space-size=512',
];

/** How long a start may take, in milliseconds. */
const startMs = 30_000;

/** Starts an installed Chromium. Errors: `unprocessable` when it does not start. */
export async function startBrowser(path: string): Promise<BrowserPipe> {
  const folder = await mkdtemp(join(tmpdir(), 'assistant-browser-'));
  const browser = spawn(path, [...plain, ...noNetwork, `--user-data-dir=${folder}`], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own, so that all of its processes can be ended.
    detached: true,
    // The secrets of this process are none of its business.
    env: { PATH: process.env['PATH'], HOME: folder, LANG: 'en_US.UTF-8' },
  });
  const ended = endOf(browser);
  const complaints = listen(browser);
  const pipe = speak(browser, ended);
  const kill = () => endAll(browser);
  const close = async () => {
    kill();
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const timer = setTimeout(kill, startMs);
  try {
    await pipe.send('Browser.getVersion');
  } catch (error) {
    await close();
    const sentence = `The browser of sources.browser does not start: ${path}. ${whyNot(await complaints())}`;
    throw new AppError('unprocessable', sentence, { cause: error });
  } finally {
    clearTimeout(timer);
  }
  return { ...pipe, close };
}

/** In characters: what is kept of the words of a browser. */
const mostHeard = 4000;

/** Collects what a browser complains of. The returned function waits until it has ended, for a second at most. */
function listen(browser: ChildProcess): () => Promise<string> {
  let heard = '';
  browser.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (heard.length < mostHeard) heard += text;
  });
  browser.once('error', ({ message }) => (heard += message));
  const closed = new Promise<void>((resolve) => browser.once('close', () => resolve()));
  return async () => {
    const late = new AbortController();
    await Promise.race([closed, pause(1000, late.signal)]);
    late.abort();
    return heard;
  };
}

/** Why a browser did not start, as far as its complaints tell, and what to do. */
function whyNot(complaints: string): string {
  if (/ENOENT|EACCES/.test(complaints)) {
    return 'No program is there. Set the path of an installed Chromium: assistant config set sources.browser <path>';
  }
  if (/sandbox/i.test(complaints)) {
    const cause =
      process.getuid?.() === 0
        ? 'Chromium has no sandbox as root. Run the server as another user.'
        : 'Chromium has no sandbox here: the machine or container allows no user namespaces. Allow them to the user of the server.';
    return `${cause} Without a sandbox, no scripts are run.`;
  }
  const [first = ''] = complaints.trim().split('\n');
  return first === '' ? 'It says nothing.' : `It says: ${first.slice(0, 300)}`;
}

/** Ends the browser, also one that a script of the operator has started. */
function endAll({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function endOf(browser: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    browser.once('error', () => resolve());
    browser.once('exit', () => resolve());
  });
}

interface Answer {
  id?: number;
  result?: Fields;
  error?: { message: string };
}

/** Messages are JSON with a zero byte after each. */
function speak(browser: ChildProcess, ended: Promise<void>): Omit<BrowserPipe, 'close'> {
  const [, , , out, back] = browser.stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<
    number,
    { resolve: (found: Fields) => void; reject: (e: Error) => void }
  >();
  const listeners: ((event: BrowserEvent) => void)[] = [];
  let isOver = false;
  let last = 0;
  let pieces: Buffer[] = [];
  const receive = (text: string) => {
    const message = JSON.parse(text) as Answer & BrowserEvent;
    if (message.id === undefined) {
      for (const listener of listeners) listener(message);
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) asked?.resolve(message.result ?? {});
    else asked?.reject(new Error(message.error.message));
  };
  back.on('data', (piece: Buffer) => {
    let start = 0;
    for (let end = piece.indexOf(0); end !== -1; end = piece.indexOf(0, start)) {
      pieces.push(piece.subarray(start, end));
      receive(Buffer.concat(pieces).toString());
      pieces = [];
      start = end + 1;
    }
    pieces.push(piece.subarray(start));
  });
  // It ends with the browser, which says so.
  out.on('error', () => undefined);
  back.on('error', () => undefined);
  void ended.then(() => {
    isOver = true;
    for (const { reject } of waiting.values()) reject(new Error('the browser has ended'));
    waiting.clear();
  });
  return {
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        if (isOver) {
          reject(new Error('the browser has ended'));
          return;
        }
        waiting.set(++last, { resolve, reject });
        out.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
      }),
    onEvent: (listener) => void listeners.push(listener),
  };
}
