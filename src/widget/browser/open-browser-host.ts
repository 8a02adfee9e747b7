import type { BrowserHost } from './browser-host.js';

/** The browser itself. */
export function openBrowserHost(): BrowserHost {
  const listen = (type: string, callback: (event: Event) => void) => {
    window.addEventListener(type, callback);
    return () => window.removeEventListener(type, callback);
  };
  return {
    fetch: (input, init) => window.fetch(input, init),
    openSocket(url, { onOpen, onMessage, onClose }) {
      const socket = new WebSocket(url);
      socket.onopen = onOpen;
      socket.onmessage = ({ data }) => onMessage(data);
      socket.onclose = ({ code }) => onClose(code);
      return socket;
    },
    store: () => window.localStorage,
    onStored: (key, changed) =>
      listen('storage', (event) => {
        // No key: all was cleared.
        const { key: name } = event as StorageEvent;
        if (name === key || name === null) changed();
      }),
    isOnline: () => navigator.onLine,
    onNetwork(changed) {
      const ends = [listen('online', changed), listen('offline', changed)];
      return () => ends.forEach((end) => end());
    },
    nextFrame(callback) {
      const frame = requestAnimationFrame(callback);
      return () => cancelAnimationFrame(frame);
    },
    now: () => Date.now(),
  };
}
