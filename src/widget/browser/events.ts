import type { AssistantEvents } from '../../chat/api-types.js';

type Callback<E extends keyof AssistantEvents> = (payload: AssistantEvents[E]) => void;
type Callbacks = { [E in keyof AssistantEvents]: Set<Callback<E>> };

export interface Events {
  emit: <E extends keyof AssistantEvents>(event: E, payload: AssistantEvents[E]) => void;
  on: <E extends keyof AssistantEvents>(event: E, callback: Callback<E>) => () => void;
  clear: () => void;
}

export function createEvents(): Events {
  const callbacks: Callbacks = {
    ready: new Set(),
    open: new Set(),
    close: new Set(),
    message: new Set(),
    error: new Set(),
  };
  return {
    emit(event, payload) {
      for (const callback of [...callbacks[event]]) call(callback, payload);
    },
    on(event, callback) {
      const told: Set<typeof callback> | undefined = Object.hasOwn(callbacks, event)
        ? callbacks[event]
        : undefined;
      if (!told || typeof callback !== 'function') {
        const names = Object.keys(callbacks).join(', ');
        console.warn(`Assistant: on() takes one of ${names}, and a function.`);
        return () => undefined;
      }
      told.add(callback);
      return () => void told.delete(callback);
    },
    clear: () => Object.values(callbacks).forEach((told) => told.clear()),
  };
}

/** Calls a page's callback. An error in it is logged and stops nothing here. */
export function call<T>(callback: (payload: T) => void, payload: T): void {
  try {
    callback(payload);
  } catch (error) {
    console.error('Assistant: a callback of the page failed.', error);
  }
}
