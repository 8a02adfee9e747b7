import type { BrowserHost } from '../connection/browser-host.js';
import type { ChatMessage, SessionState } from '../session.js';

type Listener = (state: SessionState, before: SessionState) => void;

/** The state for a view, and the listeners to its changes. */
export interface SessionStore {
  readonly state: SessionState;
  /** With `soon`, listeners are called with the next frame, else now. */
  set(patch: Partial<SessionState>, soon?: boolean): void;
  setMessage(key: string, patch: Partial<ChatMessage>, soon?: boolean): void;
  message(key: string): ChatMessage | undefined;
  subscribe: (listener: Listener) => () => void;
  end(): void;
}

/** The person's part of the state before anything is known. */
export const unknownPerson = {
  identity: undefined,
  signedIn: false,
  refused: undefined,
  conversationId: undefined,
  messages: [],
  deleted: false,
  restoring: false,
  notifications: [],
  unread: 0,
} satisfies Partial<SessionState>;

/** True when the message will not change by itself. */
export function isOver({ status }: ChatMessage): boolean {
  return ['complete', 'incomplete', 'failed'].includes(status);
}

export function questionOf({ messages }: SessionState, key: string): ChatMessage | undefined {
  const at = messages.findIndex((message) => message.key === key);
  const asked = messages.slice(0, at + 1).filter(({ role }) => role === 'user');
  return asked.at(-1);
}

export function createStore(host: BrowserHost): SessionStore {
  const listeners = new Set<Listener>();
  let state: SessionState = {
    ...unknownPerson,
    connection: 'connecting',
    person: {},
    suggestions: [],
    messageLength: 8000,
  };
  /** The state that the listeners have seen. */
  let heard = state;
  let callOff: (() => void) | undefined;

  function tell(): void {
    callOff?.();
    callOff = undefined;
    const before = heard;
    heard = state;
    for (const listener of [...listeners]) listener(state, before);
  }

  function set(patch: Partial<SessionState>, soon = false): void {
    state = { ...state, ...patch };
    if (!soon) tell();
    else callOff ??= host.nextFrame(tell);
  }

  return {
    get state() {
      return state;
    },
    set,
    setMessage(key, patch, soon) {
      const messages = state.messages.map((message) =>
        message.key === key ? { ...message, ...patch } : message,
      );
      set({ messages }, soon);
    },
    message: (key) => state.messages.find((message) => message.key === key),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    end() {
      listeners.clear();
      callOff?.();
    },
  };
}
