import { WebSocket } from 'ws';
import { createRequestAnswers } from '../../src/chat/session/answer-by-requests.js';
import type { BrowserHost, StoreLike } from '../../src/chat/connection/browser-host.js';
import {
  createSession,
  type RunningSession,
  type SessionOptions,
} from '../../src/chat/session/create-session.js';
import { history } from '../../src/chat/session/history.js';
import type { SessionState } from '../../src/chat/session.js';

/** The functions of a browser for the widget, in Node: real requests and sockets, and a store in memory. */
export interface TestBrowser extends BrowserHost {
  /** Requests to the service, for example `GET /widget/config`. */
  asked: string[];
  /** The sent frames, as JSON. */
  sent: string[];
  /** Sockets that are open or opening. */
  sockets: Set<WebSocket>;
  /** Closes every socket at once, like a broken network. */
  cutSockets: () => void;
  /** Filters frames. A frame that is not let in or out breaks the connection. */
  lets: { in: (text: string) => boolean; out: (text: string) => boolean };
  /** Whether new sockets are refused. */
  blockSockets: boolean;
  /** Resolves when the next such request was answered. */
  next: (request: string) => Promise<void>;
  /** Called before each request. The fetch throws its error, or returns its response. */
  intercept: (path: string, init: RequestInit) => Promise<Response | undefined> | undefined;
  stored: Map<string, string>;
  setOnline: (online: boolean) => void;
  /** Reports that another tab has written to the store. */
  tellStored: () => void;
}

/** A tab of a browser on a page of `origin`; `stored` is shared by the tabs of one browser. */
export function openTestBrowser(
  origin: string,
  stored = new Map<string, string>(),
  elapsed = () => performance.now(),
): TestBrowser {
  const waiting = new Map<string, () => void>();
  const networkWatchers = new Set<() => void>();
  const storeWatchers = new Set<() => void>();
  let online = true;
  const store: StoreLike = {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
    removeItem: (key) => void stored.delete(key),
  };
  const watch = (watchers: Set<() => void>, changed: () => void) => {
    watchers.add(changed);
    return () => void watchers.delete(changed);
  };
  const browser: TestBrowser = {
    asked: [],
    sent: [],
    sockets: new Set(),
    lets: { in: () => true, out: () => true },
    blockSockets: false,
    intercept: () => undefined,
    stored,
    next: (request) => new Promise((resolve) => waiting.set(request, resolve)),
    async fetch(input, init = {}) {
      const { pathname } = new URL(input as string);
      browser.asked.push(`${init.method ?? 'GET'} ${pathname}`);
      const given = await browser.intercept(pathname, init);
      if (given !== undefined) return given;
      const headers = new Headers(init.headers);
      headers.set('Origin', origin);
      const response = await fetch(input, { ...init, headers });
      waiting.get(`${init.method ?? 'GET'} ${pathname}`)?.();
      return response;
    },
    openSocket(url, { onOpen, onMessage, onClose }) {
      const socket = new WebSocket(browser.blockSockets ? 'ws://127.0.0.1:9' : url, { origin });
      browser.sockets.add(socket);
      socket.on('open', onOpen);
      socket.on('message', (data: Buffer) => {
        const text = data.toString('utf8');
        if (browser.lets.in(text)) onMessage(text);
        else socket.terminate();
      });
      socket.on('error', () => undefined);
      socket.on('close', (code) => {
        browser.sockets.delete(socket);
        onClose(code);
      });
      return {
        send(text) {
          browser.sent.push(text);
          if (browser.lets.out(text)) socket.send(text);
          else socket.terminate();
        },
        close: () => socket.close(),
      };
    },
    cutSockets() {
      for (const socket of browser.sockets) socket.terminate();
    },
    store: () => store,
    onStored: (_key, changed) => watch(storeWatchers, changed),
    openChannel(name, heard) {
      const channel = new BroadcastChannel(name);
      channel.onmessage = (event) => heard((event as { data: unknown }).data);
      return channel;
    },
    isOnline: () => online,
    onNetwork: (changed) => watch(networkWatchers, changed),
    setOnline(next) {
      online = next;
      for (const changed of [...networkWatchers]) changed();
    },
    tellStored() {
      for (const changed of [...storeWatchers]) changed();
    },
    nextFrame(callback) {
      const frame = setTimeout(callback, 5);
      return () => clearTimeout(frame);
    },
    now: () => Date.now(),
    elapsed,
  };
  return browser;
}

export interface TestSession extends RunningSession {
  browser: TestBrowser;
  events: { event: string; payload: unknown }[];
  /** Resolves with the first matching state, present or later. */
  until: (fits: (state: SessionState) => boolean) => Promise<SessionState>;
  /** Resolves with the finished answer to the latest question. */
  answered: (count?: number) => Promise<SessionState>;
}

/** A session in a tab. Destroy it, otherwise the process does not end. */
export function openTestSession(
  browser: TestBrowser,
  url: string,
  options: Partial<SessionOptions> = {},
  page = { url: 'https://acme.example/backups', title: 'Backups' },
): TestSession {
  const events: TestSession['events'] = [];
  const session = createSession(
    {
      ...{ apiKey: undefined, apiUrl: url, wsUrl: `${url.replace('http', 'ws')}/widget/ws` },
      ...{ userToken: undefined, getUserToken: undefined, suggestions: undefined },
      ...options,
    },
    {
      host: browser,
      readPage: () => page,
      mask: (text) => Promise.resolve(text.replaceAll('hunter2', '[SECRET]')),
      emit: (event, payload) => void events.push({ event, payload }),
      loadRequestAnswers: () => Promise.resolve(createRequestAnswers),
      loadHistory: () => Promise.resolve(history),
    },
  );
  const until = (fits: (state: SessionState) => boolean) =>
    new Promise<SessionState>((resolve) => {
      if (fits(session.state)) {
        resolve(session.state);
        return;
      }
      const end = session.subscribe((state) => {
        if (!fits(state)) return;
        end();
        resolve(state);
      });
    });
  return Object.assign(Object.create(session) as RunningSession, {
    ...{ browser, events, until },
    answered: (count = 1) =>
      until(
        ({ messages }) =>
          messages.filter((one) => one.role === 'assistant' && one.reply !== undefined).length >=
          count,
      ),
  });
}
