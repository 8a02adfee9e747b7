import { Readable } from 'node:stream';

export interface ServerEvent {
  /** A client that lost the connection sends this number back as Last-Event-ID. */
  id?: number;
  event: string;
  data: unknown;
}

/** The interval of keep-alive comments, so that no proxy closes a quiet stream. */
const heartbeatMs = 10_000;

/**
 * The reply of a server-sent event stream: not buffered by proxies, and with keep-alive comments from the first second.
 * When `endOn` aborts, the stream ends with a comment and the client reconnects. Omit `endOn` for an answer under way,
 * which may finish. A slow reader delays the events. A reader who leaves ends the iterator by `return()`.
 */
export function eventStream(
  events: AsyncIterable<ServerEvent>,
  endOn?: AbortSignal,
): {
  body: Readable;
  headers: Record<string, string>;
} {
  let room: (() => void) | undefined;
  const stream = new Readable({ read: () => room?.() });
  stream.push(': connected\n\n');
  const iterator = events[Symbol.asyncIterator]();
  // A reader with unread events needs no keep-alive.
  const beat = () => stream.readableLength === 0 && stream.push(': alive\n\n');
  const heartbeat = setInterval(beat, heartbeatMs);
  let ended = false;
  const end = (lastWords?: string) => {
    if (ended) return;
    ended = true;
    clearInterval(heartbeat);
    endOn?.removeEventListener('abort', stop);
    iterator.return?.().catch(() => undefined);
    room?.();
    if (lastWords !== undefined) stream.push(lastWords);
    stream.push(null);
  };
  const stop = () => end(': the server is stopping\n\n');
  endOn?.addEventListener('abort', stop, { once: true });
  stream.once('close', () => end());
  if (endOn?.aborted === true) stop();
  const pump = async () => {
    for (;;) {
      const step = await iterator.next();
      if (ended || step.done === true) return;
      if (stream.push(frame(step.value))) continue;
      await new Promise<void>((resolve) => (room = resolve));
    }
  };
  void pump().then(
    () => end(),
    (error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return {
    body: stream,
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // No cache may keep a person's events, and no proxy may buffer them for compression.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  };
}

function frame({ id, event, data }: ServerEvent): string {
  const number = id === undefined ? '' : `id: ${id}\n`;
  return `${number}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
