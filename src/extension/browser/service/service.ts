/** The signed-in account, as stored across restarts of the browser. */
export interface Account {
  user: { id: number; email: string; display_name: string; role: string };
  token: string;
  refreshToken: string;
}

/** The dependencies of a service; tests replace them. */
export interface ServiceParts {
  fetch: typeof fetch;
  /** The configured address, or undefined. */
  server: () => Promise<string | undefined>;
  account: () => Promise<Account | undefined>;
  keep: (account: Account | undefined) => Promise<void>;
  /** Runs one task of each kind at a time, across all parts of the extension. */
  alone: <T>(what: 'account' | 'renewal', work: () => Promise<T>) => Promise<T>;
  /** Makes another part renew the session, because this one may be closed before the answer. */
  renew?: (used: string) => Promise<void>;
  /** The time limit of an answer, in milliseconds. */
  patience?: number;
}

/** An error of the service; `offline` when it was not reached, `signed_out` without an account. */
export class ServiceError extends Error {
  constructor(
    readonly code: string,
    message?: string,
    readonly retryAfter?: number,
    /** The refused part of the input. */
    readonly path?: string,
  ) {
    super(message ?? code);
  }
}

export interface AskDetails {
  body?: object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Service {
  /** The response of an endpoint for the signed-in user. Rejects with ServiceError. */
  open(method: string, path: string, details?: AskDetails): Promise<Response>;
  /** The JSON document of an endpoint; times out after 20 s. */
  json<T>(method: string, path: string, body?: object): Promise<T>;
  /** Rejects with ServiceError; nothing has changed then. */
  /** `code`: of the second factor, if the account has one. */
  signIn(email: string, password: string, code?: string): Promise<void>;
  /** Deletes the session here, whether or not the service is reached. */
  signOut(): Promise<void>;
  /** Ensures that the session no longer uses this token. Rejects with ServiceError. */
  renew(used: string): Promise<void>;
}

export function createService(parts: ServiceParts): Service {
  const { patience = 20_000 } = parts;

  /** Ends a session in the service, if reachable. */
  async function leave(refreshToken: string): Promise<void> {
    const signal = AbortSignal.timeout(patience);
    const body = { refreshToken };
    await reach(parts, 'POST', '/api/auth/logout', { body, signal }).catch(() => undefined);
  }

  /**
   * Replaces the session with this token, once for all callers: a refresh token is valid once, and the service treats a
   * second use as theft.
   */
  function renew(used: string): Promise<void> {
    return parts.alone('renewal', async () => {
      const account = await parts.account();
      if (account === undefined) throw new ServiceError('signed_out');
      // Another caller has already renewed it.
      if (account.token !== used) return;
      const { refreshToken } = account;
      const body = { refreshToken };
      const signal = AbortSignal.timeout(patience);
      const response = await reach(parts, 'POST', '/api/auth/refresh', { body, signal });
      if (!response.ok && response.status !== 401) throw await refusalOf(response);
      const next = response.ok ? accountOf(await documentOf(response)) : undefined;
      const isKept = await parts.alone('account', async () => {
        // The user signed out or changed meanwhile, because neither waits for a renewal.
        if ((await parts.account())?.refreshToken !== refreshToken) return false;
        await parts.keep(next);
        return true;
      });
      if (next === undefined) throw new ServiceError('signed_out');
      if (!isKept) await leave(next.refreshToken);
    });
  }

  async function open(method: string, path: string, details: AskDetails = {}): Promise<Response> {
    const account = await parts.account();
    if (account === undefined) throw new ServiceError('signed_out');
    let response = await reach(parts, method, path, details, account.token);
    if (response.status === 401) {
      await (parts.renew ?? renew)(account.token);
      const next = await parts.account();
      if (next?.user.id !== account.user.id) throw new ServiceError('signed_out');
      response = await reach(parts, method, path, details, next.token);
    }
    if (!response.ok) throw await refusalOf(response);
    return response;
  }

  return {
    open,
    renew,
    async json<T>(method: string, path: string, body?: object) {
      const signal = AbortSignal.timeout(patience);
      const response = await open(method, path, { ...(body && { body }), signal });
      if (response.status === 204) return undefined as T;
      return (await documentOf(response)) as T;
    },
    async signIn(email, password, code) {
      const signal = AbortSignal.timeout(patience);
      const body = { email, password, ...(code !== undefined && { code }) };
      const response = await reach(parts, 'POST', '/api/auth/login', { body, signal });
      if (!response.ok) throw await refusalOf(response);
      const account = accountOf(await documentOf(response));
      await parts.alone('account', async () => {
        // The next user must not see data of the previous one.
        await parts.keep(undefined);
        await parts.keep(account);
      });
    },
    async signOut() {
      const account = await parts.alone('account', async () => {
        const left = await parts.account();
        await parts.keep(undefined);
        return left;
      });
      if (account !== undefined) await leave(account.refreshToken);
    },
  };
}

/** The answer to a request. Rejects with ServiceError where there is no server, or none that answers. */
async function reach(
  parts: ServiceParts,
  method: string,
  path: string,
  { body, headers: given, signal }: AskDetails,
  token?: string,
): Promise<Response> {
  const server = await parts.server();
  if (server === undefined) throw new ServiceError('no_server');
  const headers = new Headers(given);
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  try {
    return await parts.fetch(server + path, {
      method,
      headers,
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch {
    throw new ServiceError('offline');
  }
}

function accountOf(given: unknown): Account {
  const { token, refreshToken, user } = given as Account;
  const { id, email, display_name, role } = user;
  return { token, refreshToken, user: { id, email, display_name, role } };
}

async function documentOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new ServiceError('offline');
  }
}

/** A body without a code comes from a proxy that did not reach the service. */
async function refusalOf(response: Response): Promise<ServiceError> {
  const problem: unknown = await response.json().catch(() => undefined);
  const { code, detail, errors } = (problem ?? {}) as Record<'code' | 'detail' | 'errors', unknown>;
  if (typeof code !== 'string') return new ServiceError('offline');
  const wait = Number(response.headers.get('Retry-After'));
  const sentence = typeof detail === 'string' ? detail : undefined;
  const [field] = Array.isArray(errors) ? (errors as { path?: unknown }[]) : [];
  const path = typeof field?.path === 'string' ? field.path : undefined;
  return new ServiceError(code, sentence, wait > 0 ? wait : undefined, path);
}
