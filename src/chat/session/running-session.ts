import type { FrameContext } from '../protocol.js';
import type { createRequestAnswers } from './answer-by-requests.js';
import type { BrowserHost } from '../connection/browser-host.js';
import type { ResolvedOptions } from '../options.js';
import type { LoadHistory } from './history.js';
import type { Emit } from './session-answers.js';
import type { Session } from '../session.js';

/** The page's options that a session needs. */
export type SessionOptions = Pick<
  ResolvedOptions,
  'apiKey' | 'apiUrl' | 'wsUrl' | 'userToken' | 'getUserToken' | 'suggestions'
>;

export interface SessionOwner {
  host: BrowserHost;
  readPage: () => FrameContext;
  /** Masks people's text before it leaves the page, if masking is on. Waits a limited time for the rules to load. */
  mask: (text: string) => Promise<string>;
  emit: Emit;
  /** Loads the code that sends questions where no socket can be opened. */
  loadRequestAnswers: () => Promise<typeof createRequestAnswers>;
  /** Loads the code that reads stored data. */
  loadHistory: LoadHistory;
}

/** The session of one widget: the person, the messages, and the connections to the service. */
export interface RunningSession extends Session {
  askPerson: NonNullable<Session['askPerson']>;
  /** Checks for unread answers of a known person. Nothing else is requested before the panel is opened. */
  start(): void;
  /** Loads the first questions again after a change of the panel's language. */
  suggest(): void;
  /** Changes the options. Another key or address needs another session. */
  update(options: SessionOptions): void;
  destroy(): void;
}
