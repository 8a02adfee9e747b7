/** One server-sent event of the service. */
export interface StreamedEvent {
  type: string;
  /** 0 where it has no number. */
  id: number;
  data: Record<string, unknown>;
}

/** The events of a response, as they come. Comments, and what is no JSON, are passed over. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    // Whoever stops reading gives the connection back.
    void reader.cancel().catch(() => undefined);
  }
}

function eventOf(block: string): StreamedEvent | undefined {
  const field = (name: string) =>
    new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]?.replace(/\r$/, '');
  try {
    const data = JSON.parse(field('data') ?? '') as StreamedEvent['data'];
    return { type: field('event') ?? '', id: Number(field('id') ?? 0), data };
  } catch {
    return undefined;
  }
}
