import type { BrowserHost } from './browser-host.js';
import type { Credentials, Identity } from './identity.js';
import type { SessionError } from './session.js';

/** A refusal of the service, or `offline` and `timeout` where it was not reached. */
export class ServiceError extends Error implements SessionError {
  constructor(
    readonly code: string,
    message: string,
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

export interface RequestDetails {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** A 401 is an answer here, not a credential that no longer holds. */
  asIs?: boolean;
}

export interface ServiceRequests {
  /** The response of an endpoint under /widget, with the credentials that it was asked with. Rejects with ServiceError. */
  open(
    method: string,
    path: string,
    details?: RequestDetails,
  ): Promise<{ response: Response; used: Credentials }>;
  /** The document that it answers with; gives up after 20 s. */
  json<T>(method: string, path: string, details?: RequestDetails): Promise<T>;
}

const patienceMs = 20_000;

/** Requests to the service as whoever uses the widget. A credential that does not hold is renewed or dropped once. */
export function createRequests(
  host: BrowserHost,
  identity: Identity,
  apiUrl: string,
): ServiceRequests {
  async function open(method: string, path: string, details: RequestDetails = {}) {
    for (let tries = 0; ; tries += 1) {
      const used = await identity.credentials();
      const response = await reach(method, path, details, used);
      if (response.ok) return { response, used };
      const error = await refusalOf(response);
      const mayTryAgain = response.status === 401 && tries < 2 && details.asIs !== true;
      if (!mayTryAgain || !(await identity.recover(used))) throw error;
    }
  }

  async function reach(
    method: string,
    path: string,
    { body, headers, signal }: RequestDetails,
    { apiKey, userToken, visitorToken }: Credentials,
  ): Promise<Response> {
    try {
      // Called as a function of its own: a page's fetch must not be a method of something else.
      const { fetch } = host;
      return await fetch(`${apiUrl}/widget${path}`, {
        method,
        credentials: 'omit',
        headers: {
          ...(apiKey === undefined ? {} : { 'X-Widget-Key': apiKey }),
          ...(userToken === undefined ? {} : { Authorization: `Bearer ${userToken}` }),
          ...(visitorToken === undefined ? {} : { 'X-Visitor-Token': visitorToken }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch {
      throw new ServiceError('offline', 'The service was not reached.');
    }
  }

  return {
    open,
    async json<T>(method: string, path: string, details?: RequestDetails) {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), patienceMs);
      try {
        const { response } = await open(method, path, { ...details, signal: controller.signal });
        return (await response.json()) as T;
      } catch (error) {
        if (controller.signal.aborted) throw new ServiceError('timeout', 'The service is slow.');
        throw error instanceof ServiceError ? error : new ServiceError('offline', String(error));
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

async function refusalOf(response: Response): Promise<ServiceError> {
  const problem = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const { code, detail } = problem;
  // What is no problem of the service comes from a proxy that did not reach it.
  if (typeof code !== 'string') return new ServiceError('offline', `HTTP ${response.status}`);
  const wait = Number(response.headers.get('Retry-After'));
  const retryAfter = wait > 0 ? wait : undefined;
  return new ServiceError(code, typeof detail === 'string' ? detail : code, retryAfter);
}
