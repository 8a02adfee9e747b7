/*
 * The browser functions that a session needs, passed as a value: tests run a session against a real server without a
 * browser.
 */

export interface SocketLike {
  send: (text: string) => void;
  close: () => void;
}

export interface SocketListener {
  onOpen: () => void;
  onMessage: (data: unknown) => void;
  onClose: (code: number) => void;
}

export interface StoreLike {
  getItem: (key: string) => string | null;
  setItem: (key: string, value: string) => void;
  removeItem: (key: string) => void;
}

export interface ChannelLike {
  postMessage: (said: unknown) => void;
  close: () => void;
}

export interface BrowserHost {
  fetch: typeof fetch;
  /** Throws when the page's content policy forbids it. */
  openSocket: (url: string, listener: SocketListener) => SocketLike;
  /** Throws when storage is blocked. */
  store: () => StoreLike;
  /** Calls back when another tab has changed the entry. Returns a function that ends this. */
  onStored: (key: string, changed: () => void) => () => void;
  /** Opens a named channel between tabs of this site; undefined when the browser does not support it. */
  openChannel: (name: string, heard: (said: unknown) => void) => ChannelLike | undefined;
  isOnline: () => boolean;
  /** Calls back when the machine goes online or offline. Returns a function that ends this. */
  onNetwork: (changed: () => void) => () => void;
  /** Calls back once before the next frame is drawn. Returns a function that cancels this. */
  nextFrame: (callback: () => void) => () => void;
  /** Milliseconds by the system clock, which may be wrong. */
  now: () => number;
  /** Milliseconds since a fixed moment of the page, unaffected by the system clock. */
  elapsed: () => number;
}
