import type { z } from 'zod';
import { AppError, errorCodes, messageOf, type ErrorCode } from '../errors.js';
import { pause as pauseFor, retryDelay } from '../retry.js';
import { parseUrl } from '../text/parse-url.js';

export interface ServerSettings {
  /** The address of the server, including its path prefix, if any. */
  url: URL;
  /** Returns the bearer token; called before each attempt. Undefined when nobody has signed in. */
  token?: (() => Promise<string>) | undefined;
  /** The sentence for a server that refuses the token; default: the server's own. */
  refusedToken?: string | undefined;
  /** Aborts the request under way. */
  signal: AbortSignal;
  /** Waits before the next attempt. Replaced in tests. */
  pause?: typeof pauseFor;
  /** Receives a remark when a request has to wait. */
  note: (text: string) => void;
  /** How long a server may be silent before a remark says so, in milliseconds; default: 5 s. */
  remarkMs?: number;
}

export interface ServerRequest {
  /** Builds the body anew for each attempt: a body that was sent once can't be sent again. */
  body?: () => FormData;
  json?: unknown;
  method?: 'GET' | 'POST' | 'DELETE';
  /** For requests that the server accepts only once. Such a request is never retried. */
  once?: boolean;
  /** The time limit of one attempt. */
  timeoutMs?: number;
}

export interface ServerClient {
  /** The validated reply. Errors: the server's own; `server_unreachable`. */
  ask<T extends z.ZodType>(path: string, reply: T, request?: ServerRequest): Promise<z.output<T>>;
}

const usualTimeoutMs = 30_000;
const maximumTries = 6;
const firstMs = 500;
/** A longer Retry-After ends the attempts. */
const longestPauseMs = 120_000;
/** No try of a request was answered, so the next request would wait as long in vain. */
export class ServerGone extends AppError {}

/** Statuses after which the same request may succeed a little later. */
const passingStatuses = new Set([429, 502, 503, 504]);

/**
 * A client of a server's API that retries. After a temporary failure or a lost connection it waits and tries again. The
 * pause doubles each time, unless the server names a pause.
 */
export function createServerClient(settings: ServerSettings): ServerClient {
  const pause = settings.pause ?? pauseFor;
  const { remarkMs = 5000, url } = settings;
  /** Said once, until the server answers again: many requests may wait for one server. */
  let isSilent = false;
  const remark = (limitMs: number) => {
    if (isSilent) return;
    isSilent = true;
    const limit = Math.ceil(limitMs / 1000);
    settings.note(`${url.origin} has not answered yet. Waiting for up to ${limit} s.`);
  };
  return {
    async ask(path, reply, request = {}) {
      let wasAnswered = false;
      for (let tries = 1; ; tries++) {
        const limitMs = request.timeoutMs ?? usualTimeoutMs;
        const timer = setTimeout(remark, remarkMs, limitMs);
        const result = await attempt(settings, path, request).finally(() => clearTimeout(timer));
        if (result.answer !== undefined) isSilent = false;
        wasAnswered ||= result.isAnswered;
        const most = request.once === true ? 1 : maximumTries;
        const isLast = result.retryMs === undefined || tries >= most;
        if (result.failure === undefined) return readReply(reply, result.answer, settings.url);
        const ms = Math.max(result.retryMs ?? 0, retryDelay(tries, { firstMs }));
        if (isLast || ms > longestPauseMs)
          throw wasAnswered ? result.failure : gone(result.failure);
        settings.note(`${result.failure.message} Trying again in ${Math.ceil(ms / 1000)} s.`);
        await pause(ms, settings.signal);
      }
    },
  };
}

function gone({ code, message, cause }: AppError): AppError {
  return code === 'shutting_down'
    ? new AppError(code, message, { cause })
    : new ServerGone(code, message, { cause });
}

interface Attempt {
  /** True after any answer, also a refusal. */
  isAnswered: boolean;
  answer?: unknown;
  failure?: AppError;
  /** The least time before a new attempt makes sense; undefined when no retry can help. */
  retryMs?: number;
}

async function attempt(
  { url, token, refusedToken, signal }: ServerSettings,
  path: string,
  { body, json, method = 'GET', timeoutMs = usualTimeoutMs }: ServerRequest,
): Promise<Attempt> {
  if (signal.aborted) return { isAnswered: false, failure: interrupted() };
  const bearer = token === undefined ? {} : { Authorization: `Bearer ${await token()}` };
  const address = new URL(path.replace(/^\//, ''), url.href.replace(/\/*$/, '/'));
  const limit = limitTo(timeoutMs, signal);
  try {
    const response = await fetch(address, {
      method,
      headers: {
        ...bearer,
        Accept: 'application/json',
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(body === undefined ? {} : { body: body() }),
      // Following a redirect would send the token to any server that the redirect names.
      redirect: 'manual',
      signal: limit.signal,
    });
    const text = await response.text();
    if (response.ok) return { isAnswered: true, answer: parse(text) };
    const refused = refusalOf(response, text, url);
    const failure =
      refused.code === 'unauthenticated' && refusedToken !== undefined
        ? new AppError('unauthenticated', refusedToken)
        : refused;
    if (!passingStatuses.has(response.status)) return { isAnswered: true, failure };
    return { isAnswered: true, failure, retryMs: retryAfter(response.headers.get('Retry-After')) };
  } catch (error) {
    if (isOver(signal)) return { isAnswered: false, failure: interrupted() };
    const failure = unreachable(url, error);
    return { isAnswered: false, failure, ...(isLasting(error) ? {} : { retryMs: 0 }) };
  } finally {
    limit.end();
  }
}

/**
 * A signal that aborts with `caller`, or after `ms`. Not AbortSignal.any with AbortSignal.timeout: nothing holds that
 * signal, so its timer is lost with the next garbage collection, and the request never ends.
 */
function limitTo(ms: number, caller: AbortSignal): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const miss = () => controller.abort(new Error(`no answer within ${Math.ceil(ms / 1000)} s`));
  const timer = setTimeout(miss, ms);
  const cancel = () => controller.abort(caller.reason);
  caller.addEventListener('abort', cancel, { once: true });
  const end = () => {
    clearTimeout(timer);
    caller.removeEventListener('abort', cancel);
  };
  return { signal: controller.signal, end };
}

function interrupted(): AppError {
  return new AppError('shutting_down', 'Interrupted.');
}

/** Failures that a retry cannot fix: an unknown host name, an untrusted certificate, a port of another protocol. */
function isLasting(error: unknown): boolean {
  const { code } = causeOf(error) as { code?: unknown };
  return code === 'ENOTFOUND' || isForbiddenPort(error) || /CERT|SSL|TLS/.test(String(code));
}

/** `fetch` refuses some ports, such as 6000, without asking. */
function isForbiddenPort(error: unknown): boolean {
  return messageOf(causeOf(error)) === 'bad port';
}

function causeOf(error: unknown): object {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return typeof cause === 'object' && cause !== null ? cause : new Error(String(cause));
}

function unreachable(url: URL, error: unknown): AppError {
  const cause = causeOf(error);
  if (isForbiddenPort(error)) {
    const sentence = `${url.origin}: clients of the web may not use this port, because it belongs to another protocol. Let the server listen on another one (server.port).`;
    return new AppError('server_unreachable', sentence, { cause: error });
  }
  const reason = 'code' in cause && typeof cause.code === 'string' ? cause.code : messageOf(cause);
  const sentence = `${url.origin} does not answer (${reason}). Check the address, and that the server runs.`;
  return new AppError('server_unreachable', sentence, { cause: error });
}

/** The server's own error. An answer without one came from something other than our server. */
function refusalOf({ status, headers }: Response, text: string, url: URL): AppError {
  const { code, detail } = (parse(text) ?? {}) as { code?: unknown; detail?: unknown };
  if (typeof code === 'string' && Object.hasOwn(errorCodes, code) && typeof detail === 'string') {
    return new AppError(code as ErrorCode, detail);
  }
  const location = headers.get('Location');
  const hint = location === null ? 'Check the address.' : `It points to ${location}.`;
  return new AppError('server_unreachable', `${url.origin} answered ${status}. ${hint}`);
}

function readReply<T extends z.ZodType>(reply: T, answer: unknown, url: URL): z.output<T> {
  const read = reply.safeParse(answer);
  if (read.success) return read.data;
  const sentence = `The server at ${url.href} does not answer like an assistant of this version. Check the address.`;
  throw new AppError('server_unreachable', sentence);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** In milliseconds. The header holds seconds or a date. */
function retryAfter(header: string | null): number {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

/** Reads the signal again: it may have aborted while the caller waited. */
export function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}

/**
 * Reads the address given with --server: http or https, with a path prefix, if any. `note` receives a warning when the
 * connection is not encrypted. Errors: `usage`.
 */
export function readServerUrl(text: string, note: (text: string) => void): URL {
  const url = parseUrl(text);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  const hasMore = url !== undefined && url.username + url.password + url.search + url.hash !== '';
  if (url === undefined || !isWeb || hasMore) {
    const sentence = `--server: expected an address such as https://assistant.example.com, not ${JSON.stringify(withoutPassword(text))}.`;
    throw new AppError('usage', sentence);
  }
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    note(
      `${url.origin} does not use https: others on the network can read the token and the files.`,
    );
  }
  return url;
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host);
}

function withoutPassword(text: string): string {
  return text.replace(/\/\/[^/@]*@/, '//…@');
}
