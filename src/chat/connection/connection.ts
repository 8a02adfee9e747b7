import type { ClientFrame, HelloFrame, ServerFrame } from '../protocol.js';
import type { BrowserHost, SocketLike } from './browser-host.js';
import { toJson } from './plain-json.js';
import type { SessionState } from '../session.js';

/** `blocked`: no WebSocket can be had from here, requests have to do. */
export type ConnectionState = 'idle' | 'connecting' | 'online' | 'reconnecting' | 'blocked';

export interface ConnectionOwner {
  url: string;
  hello: () => Promise<HelloFrame>;
  /** A frame, `pong` apart. */
  onFrame: (frame: ServerFrame) => void;
  onState: (state: ConnectionState) => void;
  /** The hello was refused with this code. Resolves to whether to come again. */
  onRefused: (code: number) => Promise<boolean>;
}

export interface Connection {
  /** Opens the socket, if it is not open or on its way. */
  open(): void;
  /** False where nobody is connected. */
  send(frame: ClientFrame): boolean;
  /** Tries again for a socket after none could be had. */
  tryAgain(): void;
  /** Says who there is, again; at once where it would only be tried again in a while. */
  greet(): void;
  close(): void;
}

const helloPatienceMs = 3000;
const heartbeatMs = 25_000;
const pongPatienceMs = 10_000;
/** Of the codes that a server closes with, those of closeCodes that are refusals. */
const firstRefusal = 4400;
/** Sockets that never opened before requests are used instead. */
const mostFailures = 2;

/**
 * The WebSocket of a session, which comes back by itself: at once when the machine is online again, else after 0.5 s,
 * doubling up to 30 s, by chance up to half less, so that a server that restarts is not met by all pages at once.
 */
export function createConnection(host: BrowserHost, owner: ConnectionOwner): Connection {
  let socket: SocketLike | undefined;
  let state: ConnectionState = 'idle';
  let failures = 0;
  /** In a row, of a service that was reached: it is come back to as after the first failures. */
  let refusals = 0;
  let hasOpened = false;
  let patience: ReturnType<typeof setTimeout> | undefined;
  let heartbeat: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const unwatch = host.onNetwork(() => {
    if (state === 'idle' || state === 'blocked') return;
    // An address that went away leaves sockets which look alive for minutes.
    if (!host.isOnline()) lose();
    else if (!socket) connect();
  });

  function become(next: ConnectionState): void {
    if (next === state) return;
    state = next;
    owner.onState(next);
  }

  function drop(): void {
    for (const timer of [patience, heartbeat, retry]) clearTimeout(timer);
    const old = socket;
    retry = undefined;
    socket = undefined;
    old?.close();
  }

  function connect(): void {
    drop();
    become(hasOpened ? 'reconnecting' : 'connecting');
    // A socket that was given up says something yet.
    const heard = (act: () => void) => {
      if (socket === mine) act();
    };
    let mine: SocketLike;
    try {
      mine = socket = host.openSocket(owner.url, {
        onOpen: () => heard(() => void greet()),
        onMessage: (data) => heard(() => receive(data)),
        onClose: (code) => heard(() => lose(code)),
      });
    } catch {
      become('blocked');
      return;
    }
    patience = setTimeout(() => lose(0, true), helloPatienceMs);
  }

  async function greet(): Promise<void> {
    const through = socket;
    const hello = await owner.hello();
    if (socket === through) through?.send(toJson(hello));
  }

  function receive(data: unknown): void {
    const frame = frameIn(data);
    if (!frame) return;
    beat();
    if (frame.type === 'pong') return;
    if (frame.type === 'welcome') {
      clearTimeout(patience);
      hasOpened = true;
      failures = refusals = 0;
      become('online');
    }
    owner.onFrame(frame);
  }

  /** After a while without a frame asks for one; without an answer the connection counts as lost. */
  function beat(): void {
    clearTimeout(heartbeat);
    heartbeat = setTimeout(() => {
      send({ type: 'ping' });
      heartbeat = setTimeout(() => lose(), pongPatienceMs);
    }, heartbeatMs);
  }

  function lose(code = 0, wasLate = false): void {
    drop();
    failures = isRefusal(code) ? (refusals += 1) : failures + 1;
    if (!hasOpened && (wasLate || failures >= mostFailures) && !isRefusal(code)) {
      become(host.isOnline() ? 'blocked' : 'reconnecting');
      if (state === 'blocked') return;
    }
    become('reconnecting');
    if (isRefusal(code)) {
      void owner.onRefused(code).then((again) => {
        if (!again) become('idle');
        else if (state === 'reconnecting') wait();
      });
    } else wait();
  }

  function wait(): void {
    clearTimeout(retry);
    const most = Math.min(30_000, 250 * 2 ** failures);
    retry = setTimeout(connect, most * (0.5 + Math.random() / 2));
  }

  function send(frame: ClientFrame): boolean {
    if (state !== 'online' || !socket) return false;
    socket.send(toJson(frame));
    return true;
  }

  return {
    open() {
      if (state === 'idle') connect();
    },
    send,
    tryAgain() {
      failures = 0;
      if (state === 'blocked') connect();
    },
    greet() {
      if (state === 'online') void greet();
      else if (retry) connect();
    },
    close() {
      unwatch();
      // For good: idle, it could be opened again by what was waited for meanwhile.
      state = 'blocked';
      drop();
    },
  };
}

/** As a view shows it: requests are a connection too. */
export function shownAs(state: ConnectionState, isOnline: boolean): SessionState['connection'] {
  if (!isOnline) return 'offline';
  if (state === 'blocked') return 'online';
  return state === 'idle' ? 'connecting' : state;
}

function isRefusal(code: number): boolean {
  return code >= firstRefusal;
}

function frameIn(data: unknown): ServerFrame | undefined {
  try {
    return JSON.parse(String(data)) as ServerFrame;
  } catch {
    return undefined;
  }
}
