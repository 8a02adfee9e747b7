import type { BrowserHost } from './browser-host.js';
import type { Credentials, Identity } from './identity.js';
import { toJson } from './plain-json.js';
import type { SessionError } from '../session.js';

/** An error of the service, or `offline` or `timeout` when it was not reached. */
export class ServiceError extends Error implements SessionError {
  constructor(
    readonly code: string,
    message?: string,
    readonly retryAfter?: number,
  ) {
    super(message ?? code);
  }
}

export interface RequestDetails {
  body?: object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** A 401 is a normal answer here and does not mean that the credentials became invalid. */
  asIs?: boolean;
}

export interface ServiceRequests {
  /** The response of an endpoint under /widget, and the credentials that were sent. Rejects with ServiceError. */
  open(
    method: string,
    path: string,
    details?: RequestDetails,
  ): Promise<{ response: Response; used: Credentials }>;
  /** The JSON document of an endpoint; times out after 20 s. Stores the visitor that the document names. */
  json<T>(method: string, path: string, details?: RequestDetails): Promise<T>;
  /** Aborts all requests for documents under way, and allows no others. */
  end(): void;
}

interface Problem {
  code: string;
  detail: string;
}

const patienceMs = 20_000;

/** Sends requests to the service with the person's credentials. Invalid credentials are renewed or dropped once. */
export function createRequests(
  host: BrowserHost,
  identity: Identity,
  apiUrl: string,
): ServiceRequests {
  const underWay = new Set<AbortController>();
  let isOver = false;

  async function open(method: string, path: string, details: RequestDetails = {}) {
    for (let tries = 0; ; tries += 1) {
      const used = await identity.credentials();
      if (isOver) throw new ServiceError('offline');
      const response = await reach(method, path, details, used);
      if (response.ok) return { response, used };
      const error = await refusalOf(response);
      const mayTryAgain = response.status === 401 && tries < 2 && !details.asIs;
      if (!mayTryAgain || !(await identity.recover(used))) throw error;
    }
  }

  async function reach(
    method: string,
    path: string,
    { body, headers: given, signal }: RequestDetails,
    { apiKey, userToken, visitorToken }: Credentials,
  ): Promise<Response> {
    const headers = new Headers(given);
    const set = (name: string, value: string | undefined) => {
      if (value) headers.set(name, value);
    };
    set('X-Widget-Key', apiKey);
    set('Authorization', userToken && `Bearer ${userToken}`);
    set('X-Visitor-Token', visitorToken);
    set('Content-Type', body && 'application/json');
    try {
      return await host.fetch(`${apiUrl}/widget${path}`, {
        method,
        headers,
        credentials: 'omit',
        body: body ? toJson(body) : null,
        signal: signal ?? null,
      });
    } catch {
      throw new ServiceError('offline');
    }
  }

  return {
    open,
    async json<T>(method: string, path: string, details?: RequestDetails) {
      const controller = new AbortController();
      underWay.add(controller);
      const timer = setTimeout(() => controller.abort(), patienceMs);
      try {
        const given = { ...details, signal: controller.signal };
        const { response, used } = await open(method, path, given);
        const document = (await response.json()) as T & { visitorToken?: unknown };
        identity.keepVisitor(document.visitorToken, !used.visitorToken);
        return document;
      } catch (error) {
        if (controller.signal.aborted) throw new ServiceError('timeout');
        throw error instanceof ServiceError ? error : new ServiceError('offline');
      } finally {
        clearTimeout(timer);
        underWay.delete(controller);
      }
    },
    end() {
      isOver = true;
      for (const controller of underWay) controller.abort();
    },
  };
}

async function refusalOf(response: Response): Promise<ServiceError> {
  const problem = (await response.json().catch(() => undefined)) as Partial<Problem> | undefined;
  const { code, detail } = problem ?? {};
  // A body without a code comes from a proxy that did not reach the service.
  if (typeof code !== 'string') return new ServiceError('offline');
  const wait = Number(response.headers.get('Retry-After'));
  return new ServiceError(code, detail, wait > 0 ? wait : undefined);
}
