/*
 * What a session needs of the browser, as a value: so that tests run it against a real server without one.
 */

/** What is used of a WebSocket. */
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

/** What is used of a BroadcastChannel. */
export interface ChannelLike {
  postMessage: (said: unknown) => void;
  close: () => void;
}

export interface BrowserHost {
  fetch: typeof fetch;
  /** Throws where the page's policy allows none. */
  openSocket: (url: string, listener: SocketListener) => SocketLike;
  /** Throws where storage is blocked. */
  store: () => StoreLike;
  /** Calls back when another tab has changed the store's entry; returns what ends it. */
  onStored: (key: string, changed: () => void) => () => void;
  /** What tabs of this site say to each other under a name; undefined where the browser lets them say nothing. */
  openChannel: (name: string, heard: (said: unknown) => void) => ChannelLike | undefined;
  isOnline: () => boolean;
  /** Calls back when the machine's connection came or went; returns what ends it. */
  onNetwork: (changed: () => void) => () => void;
  /** Calls back once before the next frame is drawn; returns what calls it off. */
  nextFrame: (callback: () => void) => () => void;
  /** Milliseconds, by a clock that may be wrong. */
  now: () => number;
  /** Milliseconds since some moment of the page's, whatever its clock says. */
  elapsed: () => number;
}
