import type { BrowserHost } from './browser-host.js';
import type { ChatMessage, SessionState } from './session.js';

type Listener = (state: SessionState, before: SessionState) => void;

/** The state that a view shows, and who is told of its changes. */
export interface SessionStore {
  readonly state: SessionState;
  /** With `soon`, the listeners are told with the next frame, else now. */
  set(patch: Partial<SessionState>, soon?: boolean): void;
  setMessage(key: string, patch: Partial<ChatMessage>, soon?: boolean): void;
  message(key: string): ChatMessage | undefined;
  subscribe(listener: Listener): () => void;
  end(): void;
}

export const emptyState: SessionState = {
  connection: 'connecting',
  identity: undefined,
  person: {},
  signedIn: false,
  refused: undefined,
  conversationId: undefined,
  messages: [],
  deleted: false,
  restoring: false,
  suggestions: [],
  notifications: [],
  unread: 0,
  messageLength: 8000,
};

/** Nothing comes of it any more by itself. */
export function isOver({ status }: ChatMessage): boolean {
  return ['complete', 'incomplete', 'failed'].includes(status);
}

export function createStore(host: BrowserHost): SessionStore {
  const listeners = new Set<Listener>();
  let state = emptyState;
  let told = state;
  let callOff: (() => void) | undefined;

  function tell(): void {
    callOff?.();
    callOff = undefined;
    const before = told;
    told = state;
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
