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
  stream.once('close', () => clearInterval(heartbeat));
  const end = () => {
    stream.push(': the server is stopping\n\n');
    stream.push(null);
  };
  if (endOn?.aborted === true) end();
  endOn?.addEventListener('abort', end, { once: true });
  stream.once('end', () => endOn?.removeEventListener('abort', end));
  stream.once('close', () => endOn?.removeEventListener('abort', end));
  void pump(events, stream);
  return {
    body: stream,
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    },
  };
}

async function pump(events: AsyncIterable<ServerEvent>, stream: Readable): Promise<void> {
  try {
    for await (const { event, data } of events) {
      if (stream.destroyed || stream.readableEnded) return;
      stream.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    }
    stream.push(null);
  } catch (error) {
    stream.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}
