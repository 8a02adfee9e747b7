import type { FrameContext } from '../protocol.js';
import type { createRequestAnswers } from './answer-by-requests.js';
import type { BrowserHost } from '../connection/browser-host.js';
import type { ResolvedOptions } from '../options.js';
import type { LoadHistory } from './history.js';
import type { Emit } from './session-answers.js';
import type { Session } from '../session.js';

/** Of the page's options, those that a session goes by. */
export type SessionOptions = Pick<
  ResolvedOptions,
  'apiKey' | 'apiUrl' | 'wsUrl' | 'userToken' | 'getUserToken' | 'suggestions'
>;

export interface SessionOwner {
  host: BrowserHost;
  readPage: () => FrameContext;
  /** What people write, as it may leave the page by now; waits for the rules, within bounds. */
  mask: (text: string) => Promise<string>;
  emit: Emit;
  /** Gets what answers where no socket gets through. */
  loadRequestAnswers: () => Promise<typeof createRequestAnswers>;
  /** Gets what looks at what is stored. */
  loadHistory: LoadHistory;
}

/** The session of one widget: who uses it, what was said, and the ways to the service. */
export interface RunningSession extends Session {
  askPerson: NonNullable<Session['askPerson']>;
  /** Looks whether there is news for somebody known; nothing else is asked before the panel is opened. */
  start(): void;
  /** Reads the first questions again: the panel's language has changed. */
  suggest(): void;
  /** Another key or address needs another session. */
  update(options: SessionOptions): void;
  destroy(): void;
}
