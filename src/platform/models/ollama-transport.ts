import type { OllamaAddress } from './ollama-address.js';

/**
 * A response with an error status, or not from Ollama. `reason` is the `error` of Ollama's JSON; undefined for any
 * other body, such as a proxy's HTML page.
 */
export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    readonly reason: string | undefined,
  ) {
    super(`HTTP ${status}${reason === undefined ? '' : `: ${reason}`}`);
    this.name = 'HttpFailure';
  }
}

export interface OllamaTransport {
  /** Returns a fetch for the ollama package. Its request, and the reading of the body, end when `signal` aborts. */
  fetchUntil(signal: AbortSignal): typeof fetch;
  /** Loads what a request needs. */
  load(): Promise<unknown>;
  close(): Promise<void>;
}

type Undici = typeof import('undici');

/** Opens nothing until the first request, which gets the `extra` headers too. Throws HttpFailure, or undici's TypeError when nobody answers. */
export function createTransport(
  address: OllamaAddress,
  extra: () => Record<string, string> = () => ({}),
): OllamaTransport {
  let opened: Promise<{ undici: Undici; agent: InstanceType<Undici['Agent']> }> | undefined;
  const open = async () => {
    const undici = await import('undici');
    // A slow machine may need longer than undici's 300 s for its headers, so the caller sets the deadlines. Requests
    // share one connection: on a busy machine, opening a new one is the longest part of the time to the first word.
    const agent = new undici.Agent({ headersTimeout: 0, bodyTimeout: 0 });
    return { undici, agent };
  };

  async function send(url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const { undici, agent } = await (opened ??= open());
    const headers = new undici.Headers(init.headers as Record<string, string>);
    Object.entries(extra()).forEach(([name, value]) => headers.set(name, value));
    if (address.authorization !== undefined) headers.set('authorization', address.authorization);
    const method = init.method ?? 'GET';
    const request = {
      method,
      body: init.body as string | null,
      headers,
      signal,
      dispatcher: agent,
    };
    const response = await undici.fetch(url, request).catch((error: unknown) => {
      if (!wasKept(error)) throw error;
      return undici.fetch(url, request);
    });
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok) throw new HttpFailure(response.status, errorIn(type, await response.text()));
    // A proxy's sign-in page also has status 200.
    if (type.includes('text/html')) {
      await response.body?.cancel();
      throw new HttpFailure(response.status, undefined);
    }
    const answered = response as unknown as Response;
    const body = type.includes('ndjson') ? answered.body?.pipeThrough(guardLines()) : answered.body;
    return new Response(body ?? null, { status: answered.status, headers: answered.headers });
  }

  return {
    load: () => (opened ??= open()),
    fetchUntil: (signal) => (url, init) =>
      send(url instanceof Request ? url.url : url.toString(), init ?? {}, signal),
    async close() {
      if (opened === undefined) return;
      const { agent } = await opened;
      await agent.destroy();
    },
  };
}

/** True when a request failed because its reused connection had been closed meanwhile. */
function wasKept(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string; socket?: { bytesRead?: number } } };
  return cause?.code === 'UND_ERR_SOCKET' && (cause.socket?.bytesRead ?? 0) > 0;
}

function errorIn(contentType: string, body: string): string | undefined {
  if (contentType.includes('html')) return undefined;
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== 'object' || parsed === null || !('error' in parsed)) return undefined;
    return typeof parsed.error === 'string' ? parsed.error : JSON.stringify(parsed.error);
  } catch {
    return undefined;
  }
}

/**
 * Splits the network's chunks into whole NDJSON lines. A half line at the end of a broken stream is dropped: the ollama
 * package would print it, and part of somebody's answer would reach the console. The missing `done` line shows that the
 * answer broke off. Any other line that is not a JSON object becomes an `error` line.
 */
export function guardLines(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.trim() === '') continue;
        controller.enqueue(encoder.encode(`${isJsonObject(line) ? line : notOllama}\n`));
      }
    },
    flush(controller) {
      rest += decoder.decode();
      if (isJsonObject(rest)) controller.enqueue(encoder.encode(`${rest}\n`));
    },
  });
}

const notOllama = JSON.stringify({ error: 'the server sent a line that is not JSON' });

function isJsonObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
