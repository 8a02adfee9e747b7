import { Readable } from 'node:stream';

/** One server-sent event; `data` is sent as JSON. */
export interface ServerEvent {
  event: string;
  data: unknown;
}

/** Between two signs of life, so that no proxy takes a quiet stream for a dead one. */
const heartbeatMs = 10_000;

/**
 * The reply of a server-sent event stream: unbuffered by proxies, alive from the first second. It ends with a
 * comment when `endOn` aborts, for streams that would go on: a client that watches comes back by itself. An
 * answer under way is not given one: it may finish.
 */
export function eventStream(
  events: AsyncIterable<ServerEvent>,
  endOn?: AbortSignal,
): {
  body: Readable;
  headers: Record<string, string>;
} {
  const stream = new Readable({ read: () => undefined });
  stream.push(': connected\n\n');
  const heartbeat = setInterval(() => stream.push(': alive\n\n'), heartbeatMs);
  let ended = false;
  const end = (lastWords?: string) => {
    if (ended) return;
    ended = true;
    clearInterval(heartbeat);
    endOn?.removeEventListener('abort', stop);
    if (lastWords !== undefined) stream.push(lastWords);
    stream.push(null);
  };
  const stop = () => end(': the server is stopping\n\n');
  endOn?.addEventListener('abort', stop, { once: true });
  stream.once('close', () => end());
  if (endOn?.aborted === true) stop();
  void pump(events, stream, () => ended).then(
    () => end(),
    (error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return {
    body: stream,
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    },
  };
}

async function pump(
  events: AsyncIterable<ServerEvent>,
  stream: Readable,
  hasEnded: () => boolean,
): Promise<void> {
  for await (const { event, data } of events) {
    if (hasEnded()) return;
    stream.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}
