import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export const durations = {
  total_duration: 5_000_000,
  load_duration: 1_000_000,
  prompt_eval_duration: 1_000_000,
  eval_duration: 3_000_000,
};

export function withTag(model: string): string {
  return model.includes(':') ? model : `${model}:latest`;
}

export function describeModel(name: string, revision = 0) {
  return {
    name,
    model: name,
    modified_at: '2026-01-01T00:00:00Z',
    size: 2_019_393_189,
    digest: `sha256:${Buffer.from(`${revision || ''}${name}`)
      .toString('hex')
      .padEnd(64, '0')
      .slice(0, 64)}`,
    details: {
      parent_model: '',
      format: 'gguf',
      family: 'llama',
      families: ['llama'],
      parameter_size: '3.2B',
      quantization_level: 'Q4_K_M',
    },
  };
}

/** A model in memory, with its context window. */
export interface StandInLoaded {
  name: string;
  numCtx: number;
}

export function describeLoaded({ name, numCtx }: StandInLoaded, gpuShare: number) {
  const { model, size, digest, details } = describeModel(name);
  const expires_at = '2026-01-01T00:05:00Z';
  const loaded = { size_vram: Math.round(size * gpuShare), expires_at, context_length: numCtx };
  return { name, model, size, digest, details, ...loaded };
}

/** An approximate number of tokens: one for four characters. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** The smallest value that fits a JSON Schema, for the kinds that the product uses. */
export function sampleOf(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return {};
  const node = schema as {
    type?: string;
    enum?: unknown[];
    const?: unknown;
    properties?: Record<string, unknown>;
    items?: unknown;
  };
  if ('const' in node) return node.const;
  if (node.enum !== undefined) return node.enum[0];
  switch (node.type) {
    case 'array':
      return [sampleOf(node.items)];
    case 'string':
      return 'sample';
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return Object.fromEntries(
        Object.entries(node.properties ?? {}).map(([name, child]) => [name, sampleOf(child)]),
      );
  }
}

/** A unit vector of hashed words: texts that share words lie close, the same text gives the same vector. */
export function embedText(text: string): number[] {
  const vector = new Array<number>(64).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
    vector[hash % 64] = (vector[hash % 64] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

/** Waits, but no longer than the client does. */
export async function passing(ms: number, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  await wait(ms, undefined, { signal: gone.signal }).catch(() => undefined);
}

export function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
