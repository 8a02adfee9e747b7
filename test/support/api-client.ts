import type { Problem } from '../../src/platform/http/problems.js';

export interface CallOptions {
  method?: string;
  /** Sent as a bearer token. */
  token?: string;
  /** Sent as X-Widget-Key. */
  key?: string;
  /** Sent as JSON. A string is sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface ApiReply<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** Sends one request over real HTTP, by default with POST if there is a body, else with GET. */
export async function callApi<T = Problem>(
  url: string,
  options: CallOptions = {},
): Promise<ApiReply<T>> {
  const { token, key, body } = options;
  const response = await fetch(url, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'X-Widget-Key': key }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const parsed: unknown = type.includes('json') ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, body: parsed as T };
}
