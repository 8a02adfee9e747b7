import type { ChatMessage, SessionState } from '../../../widget/browser/session.js';

type Listener = (state: SessionState, before: SessionState) => void;

/** The state that the chat shows, and who is told of its changes. */
export interface Store {
  readonly state: SessionState;
  set(patch: Partial<SessionState>): void;
  setMessage(key: string, patch: Partial<ChatMessage>): void;
  message(key: string): ChatMessage | undefined;
  subscribe(listener: Listener): () => void;
}

/** Listeners are told with the next frame, however many parts of an answer come until then. */
export function createStore(first: SessionState): Store {
  const listeners = new Set<Listener>();
  let state = first;
  let told = first;
  let waiting = false;

  function tell(): void {
    waiting = false;
    const before = told;
    told = state;
    for (const listener of [...listeners]) listener(state, before);
  }

  function set(patch: Partial<SessionState>): void {
    state = { ...state, ...patch };
    if (waiting) return;
    waiting = true;
    // A hidden panel has no frames.
    setTimeout(tell, 16);
  }

  return {
    get state() {
      return state;
    },
    set,
    setMessage(key, patch) {
      const messages = state.messages.map((one) => (one.key === key ? { ...one, ...patch } : one));
      set({ messages });
    },
    message: (key) => state.messages.find((one) => one.key === key),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
