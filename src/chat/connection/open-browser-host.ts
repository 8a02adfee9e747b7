import type { BrowserHost } from './browser-host.js';

export function openBrowserHost(): BrowserHost {
  const listen = (type: string, callback: (event: Event) => void) => {
    addEventListener(type, callback);
    return () => removeEventListener(type, callback);
  };
  return {
    fetch: (input, init) => fetch(input, init),
    openSocket(url, { onOpen, onMessage, onClose }) {
      const socket = new WebSocket(url);
      socket.onopen = onOpen;
      socket.onmessage = ({ data }) => onMessage(data);
      socket.onclose = ({ code }) => onClose(code);
      return { send: (text) => socket.send(text), close: () => hangUp(socket) };
    },
    store: () => localStorage,
    onStored: (key, changed) =>
      listen('storage', (event) => {
        // Without a key, the whole store was cleared.
        const { key: name } = event as StorageEvent;
        if (name === key || name === null) changed();
      }),
    openChannel(name, heard) {
      try {
        const channel = new BroadcastChannel(name);
        channel.onmessage = ({ data }) => heard(data);
        return channel;
      } catch {
        return undefined;
      }
    },
    isOnline: () => navigator.onLine,
    onNetwork(changed) {
      const ends = [listen('online', changed), listen('offline', changed)];
      return () => ends.forEach((end) => end());
    },
    nextFrame(callback) {
      const frame = requestAnimationFrame(callback);
      return () => cancelAnimationFrame(frame);
    },
    now: Date.now,
    elapsed: () => performance.now(),
  };
}

/**
 * Closes a socket. Browsers log an error for a socket that is closed while it is opening. So this waits for it to open,
 * at most as long as a handshake on a working network may take.
 */
function hangUp(socket: WebSocket): void {
  socket.onopen = socket.onmessage = socket.onclose = null;
  if (socket.readyState !== WebSocket.CONNECTING) {
    socket.close();
    return;
  }
  const patience = setTimeout(() => socket.close(), 2000);
  socket.onopen = () => socket.close();
  socket.onclose = () => clearTimeout(patience);
}
