import type { Context } from 'koa';
import { nameOf, type Actor } from '../actor.js';
import type { App } from '../app.js';
import { isRefusal, tooMany, type ErrorCode } from '../errors.js';
import { createConcurrencyLimit } from '../concurrency-limit.js';
import { addressKey, clientAddress } from './client-address.js';
import { createRateLimiter, minuteMs, type Verdict } from './rate-limiter.js';
import { onRequestEnd } from './request-end.js';

/** What costs more than others: an operation that names one counts against it as well. */
export type LimitClass = 'message' | 'request' | 'upload';

/** What watches over the server must reach it while it is flooded: its requests are not counted. */
export function isCounted(path: string): boolean {
  return !path.startsWith('/health/') && path !== '/metrics';
}

export interface RequestLimits {
  /** Counts a request before anything is known of it, and as one under way until it ends. Refuses with `rate_limited`. */
  countAddress(ctx: Context): void;
  /** Counts it once more for who makes it, and for what it costs. Refuses with `rate_limited`. */
  countCaller(ctx: Context, actor: Actor, limit: LimitClass | undefined): void;
  /**
   * Counts the bytes that the body may hold in memory, `most` at the utmost, until the request ends. Refuses with
   * `rate_limited` what is too much beside others of the same sender.
   */
  holdBody(ctx: Context, actor: Actor, most: number): void;
  /**
   * What `read` makes of the body. Counts a body that it refuses for who sent it. Refuses with `rate_limited`, before
   * anything is read, a body of who has sent too many such.
   */
  takeBody<T>(ctx: Context, actor: Actor, read: () => Promise<T>): Promise<T>;
  /** Counts what comes over a socket by all that would count it as a request. Refuses with `rate_limited`. */
  countFrame(address: string, actor: Actor | undefined, limit: LimitClass | undefined): void;
}

/** The limits of one server, counted in its memory; `refused` is told the policy that was exceeded. */
export function createRequestLimits(app: App, refused: (policy: string) => void): RequestLimits {
  const { limits } = app.config;
  const address = policy('address', limits.address_per_minute);
  const user = policy('user', limits.user_per_minute);
  const key = policy('key', limits.key_per_minute);
  const invalid = policy('invalid', limits.invalid_bodies_per_minute);
  const underWay = createConcurrencyLimit(limits.at_once_per_address);
  const bodies = createConcurrencyLimit(limits.body_mb_at_once * 1024 * 1024);
  const classes = {
    message: policy('message', limits.messages_per_minute),
    request: policy('request', limits.requests_per_minute),
    upload: policy('upload', limits.uploads_per_minute),
  };

  function policy(name: string, perMinute: number): Policy {
    if (perMinute === 0) return { count: () => undefined, check: () => undefined };
    const limiter = createRateLimiter(app.clock, perMinute);
    const judge = (ctx: Context | undefined, verdict: Verdict) => {
      if (ctx !== undefined) show(ctx, { name, perMinute, verdict });
      if (verdict.allowed) return;
      refused(name);
      const what = name === 'invalid' ? 'invalid bodies' : 'requests';
      throw tooMany(
        `${what}: ${perMinute} a minute are allowed (${name})`,
        verdict.retryAfterSeconds,
      );
    };
    return {
      count: (ctx, who) => judge(ctx, limiter.take(who)),
      check(ctx, who) {
        const verdict = limiter.foresee(who);
        if (!verdict.allowed) judge(ctx, verdict);
      },
    };
  }

  function count(
    ctx: Context | undefined,
    from: string,
    actor: Actor,
    limit: LimitClass | undefined,
  ): void {
    const name = nameOf(actor);
    // A visitor is as many as it likes to be: what counts is the app whose key it uses.
    const shared = actor.kind === 'visitor' ? `app:${actor.appId}` : name;
    if (actor.kind === 'user' || actor.kind === 'end_user') user.count(ctx, name);
    if ('appId' in actor && actor.kind !== 'end_user') key.count(ctx, shared);
    if (limit !== undefined) classes[limit].count(ctx, payerOf(actor, from));
  }

  function holdPlace(ctx: Context, who: string): void {
    if (!underWay.take(who)) {
      refused('at once');
      throw tooMany(`requests at once: ${limits.at_once_per_address} of one address are allowed`);
    }
    onRequestEnd(ctx, () => underWay.leave(who));
  }

  return {
    countAddress(ctx) {
      const who = addressKey(clientAddress(ctx));
      address.count(ctx, who);
      holdPlace(ctx, who);
    },
    countCaller: (ctx, actor, limit) => count(ctx, clientAddress(ctx), actor, limit),
    countFrame(from, actor, limit) {
      address.count(undefined, addressKey(from));
      if (actor !== undefined) count(undefined, from, actor, limit);
    },
    holdBody(ctx, actor, most) {
      const payer = payerOf(actor, clientAddress(ctx));
      const size = Math.min(mayHold(ctx), most);
      if (!bodies.take(payer, size)) {
        refused('bodies at once');
        throw tooMany(`bodies at once: ${limits.body_mb_at_once} MB of one sender are allowed`, 5);
      }
      onRequestEnd(ctx, () => bodies.leave(payer, size));
    },
    async takeBody(ctx, actor, read) {
      const payer = payerOf(actor, clientAddress(ctx));
      invalid.check(ctx, payer);
      try {
        return await read();
      } catch (error) {
        if (isRefusal(error) && invalidBody.has(error.code)) invalid.count(ctx, payer);
        throw error;
      }
    },
  };
}

/**
 * By whom what costs more is counted. All visitors of a site share its key: each of them is counted by the address, as
 * is who has no credential.
 */
function payerOf(actor: Actor, from: string): string {
  const address = addressKey(from);
  if (actor.kind === 'anonymous') return address;
  if (actor.kind === 'visitor' || actor.kind === 'widget_key')
    return `app:${actor.appId} ${address}`;
  return nameOf(actor);
}

/** The bytes that a body says to have: of what is packed, or comes in pieces, nobody knows. */
function mayHold({ req: { headers } }: Context): number {
  const isUnknown = 'transfer-encoding' in headers || 'content-encoding' in headers;
  return isUnknown ? Infinity : Number(headers['content-length'] ?? 0);
}

/** What a body is refused with for what it is, and not for how busy the server is. */
const invalidBody = new Set<ErrorCode>([
  'invalid_request',
  'body_too_large',
  'unsupported_media_type',
]);

/** So many a minute. */
interface Policy {
  /** Counts one. Refuses with `rate_limited` one too many. */
  count(ctx: Context | undefined, who: string): void;
  /** Refuses when `count` would, and counts nothing. */
  check(ctx: Context, who: string): void;
}

interface Counted {
  name: string;
  perMinute: number;
  verdict: Verdict;
}

/**
 * Tells the client where it stands by all policies that counted it (draft-ietf-httpapi-ratelimit-headers),
 * and by the one that it has least left of in the three older headers that many clients read.
 */
function show(ctx: Context, counted: Counted): void {
  const before = (ctx.state['counted'] as Counted[] | undefined) ?? [];
  const all = [...before, counted];
  ctx.state['counted'] = all;
  const list = (parts: (item: Counted) => string) =>
    all.map((item) => `"${item.name}";${parts(item)}`).join(', ');
  ctx.set(
    'RateLimit-Policy',
    list(({ perMinute }) => `q=${perMinute};w=${minuteMs / 1000}`),
  );
  ctx.set(
    'RateLimit',
    list(({ verdict }) => `r=${verdict.remaining};t=${verdict.resetSeconds}`),
  );
  const tightest = all.reduce((a, b) => (b.verdict.remaining <= a.verdict.remaining ? b : a));
  ctx.set('RateLimit-Limit', String(tightest.perMinute));
  ctx.set('RateLimit-Remaining', String(tightest.verdict.remaining));
  ctx.set('RateLimit-Reset', String(tightest.verdict.resetSeconds));
}
