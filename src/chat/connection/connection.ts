import type { ClientFrame, HelloFrame, ServerFrame } from '../protocol.js';
import type { BrowserHost, SocketLike } from './browser-host.js';
import { toJson } from './plain-json.js';
import type { SessionState } from '../session.js';

/** `blocked`: no WebSocket can be opened from here, so requests are used instead. */
export type ConnectionState = 'idle' | 'connecting' | 'online' | 'reconnecting' | 'blocked';

export interface ConnectionOwner {
  url: string;
  hello: () => Promise<HelloFrame>;
  /** Receives every frame except `pong`. */
  onFrame: (frame: ServerFrame) => void;
  onState: (state: ConnectionState) => void;
  /** The server refused the hello with this code. Resolves to true when the connection should be tried again. */
  onRefused: (code: number) => Promise<boolean>;
}

export interface Connection {
  /** Opens the socket, unless it is open or opening. */
  open(): void;
  /** Returns false without a connection. */
  send(frame: ClientFrame): boolean;
  /** Tries to open a socket again after earlier attempts failed. */
  tryAgain(): void;
  /** Sends the hello again. Opens the socket at once if the next attempt would only come later. */
  greet(): void;
  close(): void;
}

const helloPatienceMs = 3000;
const heartbeatMs = 25_000;
const pongPatienceMs = 10_000;
/** Close codes from this one on are refusals. */
const firstRefusal = 4400;
/** After this many sockets that never opened, requests are used instead. */
const mostFailures = 2;

/**
 * The WebSocket of a session, which reconnects by itself: at once when the machine is online again, else after 0.5 s,
 * doubling up to 30 s. A random reduction of up to half keeps all pages from reconnecting to a restarted server at
 * once.
 */
export function createConnection(host: BrowserHost, owner: ConnectionOwner): Connection {
  let socket: SocketLike | undefined;
  let state: ConnectionState = 'idle';
  let failures = 0;
  /** Consecutive refusals by a reachable service. The delays start again as after the first failures. */
  let refusals = 0;
  let hasOpened = false;
  let patience: ReturnType<typeof setTimeout> | undefined;
  let heartbeat: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const unwatch = host.onNetwork(() => {
    if (state === 'idle' || state === 'blocked') return;
    // After the network address has changed, sockets can look alive for minutes.
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
    // Ignores events of a socket that was already given up.
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

  /** Sends a ping after a time without frames. Without an answer, the connection counts as lost. */
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
      // Final: in `idle`, a pending wait could open the socket again.
      state = 'blocked';
      drop();
    },
  };
}

/** The state for the view: sending by requests counts as connected. */
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
