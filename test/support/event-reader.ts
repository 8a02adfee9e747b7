import assert from 'node:assert/strict';

export interface StreamedEvent {
  id: number | undefined;
  event: string;
  data: unknown;
}

/** A client of server-sent events, over real HTTP. */
export interface EventReader {
  headers: Headers;
  next(): Promise<StreamedEvent>;
  /** The events up to the first match. */
  until(fits: (event: StreamedEvent) => boolean): Promise<StreamedEvent[]>;
  /** The events up to the end of the stream. */
  rest(): Promise<StreamedEvent[]>;
  /** Drops the connection. */
  leave(): void;
}

export async function openEventStream(
  url: string,
  { token, body, lastEventId, headers }: EventRequest = {},
): Promise<EventReader> {
  const gone = new AbortController();
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      Accept: 'text/event-stream',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': String(lastEventId) }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: gone.signal,
  });
  assert.equal(response.status, 200, response.ok ? '' : await response.text());
  assert.ok(response.body);
  const events = read(response.body);
  const next = async () => {
    const step = await events.next();
    assert.ok(!step.done, 'the stream has ended');
    return step.value;
  };
  return {
    headers: response.headers,
    next,
    async until(fits) {
      const seen: StreamedEvent[] = [];
      for (;;) {
        const event = await next();
        seen.push(event);
        if (fits(event)) return seen;
      }
    },
    async rest() {
      const seen: StreamedEvent[] = [];
      for await (const event of events) seen.push(event);
      return seen;
    },
    leave: () => gone.abort(),
  };
}

export interface EventRequest {
  token?: string;
  body?: unknown;
  lastEventId?: number;
  headers?: Record<string, string>;
}

async function* read(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => {
          const at = line.indexOf(': ');
          return [line.slice(0, at), line.slice(at + 2)] as const;
        }),
      );
      const event = fields.get('event');
      if (event === undefined) continue;
      const id = fields.get('id');
      yield {
        id: id === undefined ? undefined : Number(id),
        event,
        data: JSON.parse(fields.get('data') ?? 'null') as unknown,
      };
    }
  }
  return undefined;
}
