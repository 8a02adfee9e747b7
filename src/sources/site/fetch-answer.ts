import { EventEmitter } from 'node:events';
import { type Readable, pipeline } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Agent, Dispatcher } from 'undici';
import { lookUpPublic, mayBePublic } from '../../platform/http/public-address.js';
import { pause, retryDelay } from '../../platform/retry.js';
import { pageAddress } from './page-address.js';
import type { CrawlOptions, LeftOutReason } from './site-page.js';

/** One answer of a site; a failure has a reason and no body. */
export type Answer =
  | { status: number; headers: Headers; bytes: Uint8Array; failure?: undefined }
  | Failure;

export interface Failure {
  failure: LeftOutReason;
  detail: string;
  /** True when the same question may be answered in a moment. */
  isPassing?: boolean;
}

type Headers = ReadonlyMap<string, string>;

export interface Ask {
  /** If-None-Match and If-Modified-Since. */
  headers?: Record<string, string>;
  mostBytes: number;
  /** Decides by the status and the headers whether the body is read; the failure that it returns ends the answer. */
  wants?: (status: number, headers: Headers) => Failure | undefined;
  /** True to take the beginning of a longer body instead of refusing it. */
  cut?: boolean;
}

/** The connection to one site, which is asked at the site's pace. */
export interface SiteConnection {
  /** Follows no redirect. Never rejects, except with the reason of the signal. */
  ask(url: URL, ask: Ask): Promise<Answer>;
  /** Slows the pace down to this pause between requests, in milliseconds. */
  slowDown(pauseMs: number): void;
  requests(): number;
  bytes(): number;
  close(): Promise<void>;
}

/** Calls `isOver` when an answer takes too long, unless the function that it returns was called before. */
export type AnswerTimer = (isOver: () => void) => () => void;

export interface ConnectionOptions extends Pick<
  CrawlOptions,
  'userAgent' | 'allowPrivate' | 'requestsPerSecond'
> {
  signal: AbortSignal;
  timeout: AnswerTimer;
  /** Replaced in tests. */
  pause?: typeof pause;
}

/** The most requests under way. */
export const mostAtOnce = 6;
/** The most redirects from one address. */
export const mostRedirects = 5;
/** How often a request is repeated that was refused for now, or broke off. */
const attempts = 4;
const delays = { firstMs: 2000, longestMs: 60_000 };
/** The longest pause that a site can ask for, in milliseconds. */
const longestPauseMs = 300_000;
const accept =
  'text/html, application/xhtml+xml, text/markdown, text/plain, application/pdf;q=0.9, */*;q=0.1';

const acceptEncoding = { 'accept-encoding': 'gzip, deflate, br' };
/** In bytes. */
const mostDumped = 64 * 1024;

/** Opens the connection. Nothing is sent before the first question. */
export async function connectToSite(options: ConnectionOptions): Promise<SiteConnection> {
  // Not fetch, which takes three times as long for an answer without a body.
  const { Agent, request } = await import('undici');
  const { allowPrivate, signal } = options;
  const wait = options.pause ?? pause;
  const agent: Agent = new Agent({
    connections: mostAtOnce,
    pipelining: 1,
    connect: { timeout: 15_000, ...(allowPrivate ? undefined : { lookup: lookUpPublic }) },
  });
  // Not AbortSignal.any and AbortSignal.timeout: they take half as long as an answer without a body.
  const underWay = new Set<EventEmitter>();
  const stopAll = () => underWay.forEach((stop) => stop.emit('abort'));
  signal.addEventListener('abort', stopAll, { once: true });
  let gapMs = 1000 / options.requestsPerSecond;
  let nextAt = 0;
  let requests = 0;
  let bytes = 0;

  /** Waits for the next moment at which the site may be asked. */
  async function turn(): Promise<void> {
    const ms = nextAt - performance.now();
    if (ms > 0) await wait(ms, signal);
    signal.throwIfAborted();
    nextAt = Math.max(performance.now(), nextAt) + gapMs;
  }
  let turns = Promise.resolve();

  async function askOnce(url: URL, { headers, mostBytes, wants, cut }: Ask): Promise<Answer> {
    // One after the other: a site may ask for a pause while several wait.
    turns = turns.then(turn);
    await turns;
    requests++;
    const stop = new EventEmitter();
    underWay.add(stop);
    const answer = { isLate: false };
    const stopTimer = options.timeout(() => {
      answer.isLate = true;
      stop.emit('abort');
    });
    try {
      const response = await request(url.href, {
        headers: { 'user-agent': options.userAgent, accept, ...acceptEncoding, ...headers },
        signal: stop,
        dispatcher: agent,
      });
      const found = headersOf(response);
      const { statusCode: status, body } = response;
      const isRead = status === 200;
      const refusal = isRead ? wants?.(status, found) : undefined;
      if (refusal !== undefined || !isRead) {
        // A small body is read, so that the connection serves the next page too.
        await body.dump({ limit: mostDumped });
        return refusal ?? { status, headers: found, bytes: new Uint8Array() };
      }
      const chunks: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of unpack(body, found.get('content-encoding'))) {
        const piece = chunk as Uint8Array;
        length += piece.length;
        bytes += piece.length;
        // Of the unpacked bytes: a small answer can unpack to a huge one.
        if (length > mostBytes && cut !== true) {
          return { failure: 'too_large', detail: `more than ${mostBytes} bytes` };
        }
        chunks.push(piece);
        if (length >= mostBytes && cut === true) break;
      }
      return { status, headers: found, bytes: Buffer.concat(chunks).subarray(0, mostBytes) };
    } catch (error) {
      signal.throwIfAborted();
      if (answer.isLate) return { failure: 'timeout', detail: 'no whole answer in time' };
      return describeFault(error);
    } finally {
      stopTimer();
      underWay.delete(stop);
    }
  }

  return {
    async ask(url, ask) {
      if (!allowPrivate && !mayBePublic(url)) {
        return { failure: 'unreachable', detail: `${url.host} is not on the public internet` };
      }
      if (!mayBeWeb(url)) {
        return { failure: 'unreachable', detail: `${url.port} is no port of websites` };
      }
      for (let failures = 1; ; failures++) {
        const answer = await askOnce(url, ask);
        const leastMs = retryAfter(answer);
        if (leastMs === undefined || failures === attempts) return answer;
        const pauseMs = Math.max(leastMs, retryDelay(failures, delays));
        nextAt = performance.now() + Math.min(pauseMs, longestPauseMs);
        // A site that is asked too often is asked less often from then on.
        if (answer.failure === undefined) gapMs = Math.min(Math.max(gapMs, 250) * 2, 30_000);
      }
    },
    slowDown(pauseMs) {
      gapMs = Math.max(gapMs, Math.min(pauseMs, 30_000));
    },
    requests: () => requests,
    bytes: () => bytes,
    close: () => agent.destroy(),
  };
}

function headersOf({ headers }: Pick<Dispatcher.ResponseData, 'headers'>): Headers {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return new Map(given);
}

/** The content of a body in one of the encodings that were asked for. */
function unpack(body: Readable, encoding: string | undefined): Readable {
  // Some servers leave out the end.
  const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  const lenientBrotli = {
    flush: constants.BROTLI_OPERATION_FLUSH,
    finishFlush: constants.BROTLI_OPERATION_FLUSH,
  };
  const name = encoding?.trim().toLowerCase() ?? '';
  const unpacking = /^(x-)?gzip$/.test(name)
    ? createGunzip(lenient)
    : name === 'deflate'
      ? createInflate(lenient)
      : name === 'br'
        ? createBrotliDecompress(lenientBrotli)
        : undefined;
  // Whoever reads it meets its errors.
  return unpacking === undefined ? body : pipeline(body, unpacking, () => undefined);
}

/** Low ports are those of mail and other services, which no website may name as its own. */
function mayBeWeb({ port }: URL): boolean {
  return port === '' || Number(port) >= 1024 || /^(8\d|443)$/.test(port);
}

/** The target of a redirect; undefined for any other answer, and for a target that is no address of a page. */
export function redirectOf(answer: Answer, from: URL): URL | undefined {
  if (answer.failure !== undefined || answer.status < 300 || answer.status > 399) return undefined;
  const location = answer.headers.get('location');
  return location === undefined ? undefined : pageAddress(location, from);
}

/**
 * Asks for a file about the site, and follows redirects to addresses that `allows`. Returns the last
 * answer.
 */
export async function askForFile(
  connection: SiteConnection,
  start: URL,
  ask: Ask,
  allows: (url: URL) => boolean,
): Promise<Answer> {
  let url = start;
  for (let hops = 0; ; hops++) {
    const answer = await connection.ask(url, ask);
    const target = redirectOf(answer, url);
    if (target === undefined || hops === mostRedirects || !allows(target)) return answer;
    url = target;
  }
}

/** The least pause before the same question makes sense, in milliseconds; undefined when the answer stands. */
function retryAfter(answer: Answer): number | undefined {
  if (answer.failure !== undefined) return answer.isPassing === true ? 0 : undefined;
  if (answer.status !== 429 && answer.status !== 503) return undefined;
  const written = answer.headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(written)) return Number(written) * 1000;
  const date = Date.parse(written);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now());
}

/** Faults of a connection that was there, or may be there in a moment. */
const passing = /^(ECONNRESET|EPIPE|ETIMEDOUT|UND_ERR_SOCKET|UND_ERR_CONNECT_TIMEOUT)$/;

/** fetch reports only "fetch failed"; its cause has the reason. */
function describeFault(error: unknown): Failure {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const detail = text
    .replaceAll(/\p{Cc}/gu, ' ')
    .replace(/\.$/, '')
    .slice(0, 200);
  return { failure: 'unreachable', detail, isPassing: passing.test(code) };
}
