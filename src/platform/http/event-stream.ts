import { Readable } from 'node:stream';

/** One server-sent event; `data` is sent as JSON. */
export interface ServerEvent {
  /** What a client that lost the connection sends as Last-Event-ID. */
  id?: number;
  event: string;
  data: unknown;
}

/** Between two signs of life, so that no proxy takes a quiet stream for a dead one. */
const heartbeatMs = 10_000;

/**
 * The reply of a server-sent event stream: unbuffered by proxies, alive from the first second. It ends with a comment
 * when `endOn` aborts, for streams that would go on: a client that watches comes back by itself. An answer under way is
 * not given one: it may finish. A slow reader makes the events wait, and a reader who leaves ends them (`return()` of
 * their iterator).
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
  // A reader with unread events needs no sign of life on top of them.
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
      // What one person is told, no cache keeps; nor may a proxy gather it to compress it.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  };
}

function frame({ id, event, data }: ServerEvent): string {
  const number = id === undefined ? '' : `id: ${id}\n`;
  return `${number}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
