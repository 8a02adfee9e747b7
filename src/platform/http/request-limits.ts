import type { Context } from 'koa';
import { nameOf, type Actor } from '../actor.js';
import type { App } from '../app.js';
import { isRefusal, tooMany, type ErrorCode } from '../errors.js';
import { createConcurrencyLimit } from '../concurrency-limit.js';
import { addressKey, clientAddress } from './client-address.js';
import { createRateLimiter, minuteMs, type Verdict } from './rate-limiter.js';
import { createRepeatedRefusals, type RepeatedRefusals } from './repeated-refusals.js';
import { onRequestEnd } from './request-end.js';
import { createSharedLimits } from './shared-limits.js';

/** Additional rate limits for expensive operations. */
export type LimitClass = 'message' | 'request' | 'upload';

/** Requests of monitoring are not counted: monitoring must reach the server while it is flooded. */
export function isCounted(path: string): boolean {
  return !path.startsWith('/health/') && path !== '/metrics';
}

export interface RequestLimits extends Omit<RepeatedRefusals, 'remember'> {
  /** Counts a request by its address first, and as under way until it ends. Errors: `rate_limited`. */
  countAddress(ctx: Context): Promise<void>;
  /** Counts the request also for its caller and for its limit class. Errors: `rate_limited`. */
  countCaller(ctx: Context, actor: Actor, limit: LimitClass | undefined): Promise<void>;
  /**
   * Reserves the memory that the body may need, at most `most` bytes, until the request ends. Errors: `rate_limited`
   * when the sender's bodies together need too much.
   */
  holdBody(ctx: Context, actor: Actor, most: number): void;
  /**
   * Returns the result of `read`, which gets the sender's name. A body that `read` refuses counts against its sender. A
   * sender of too many invalid bodies is refused with `rate_limited` before anything is read.
   */
  takeBody<T>(ctx: Context, actor: Actor, read: (sender: string) => Promise<T>): Promise<T>;
  /** Counts a frame of a socket like a request. Errors: `rate_limited`. */
  countFrame(
    address: string,
    actor: Actor | undefined,
    limit: LimitClass | undefined,
  ): Promise<void>;
}

/**
 * The limits of requests, which servers of one database count together, and those of what is under way at this server.
 * `refused` receives the name of the exceeded policy.
 */
export function createRequestLimits(app: App, refused: (policy: string) => void): RequestLimits {
  const { limits } = app.config;
  const shared = createSharedLimits(app);
  const address = policy('address', limits.address_per_minute);
  const user = policy('user', limits.user_per_minute);
  const key = policy('key', limits.key_per_minute);
  const invalid = policy('invalid', limits.invalid_bodies_per_minute);
  const underWay = createConcurrencyLimit(limits.at_once_per_address);
  const bodies = createConcurrencyLimit(limits.body_mb_at_once * 1024 * 1024);
  const { remember, ...repeated } = createRepeatedRefusals(app);
  const classes = {
    message: policy('message', limits.messages_per_minute),
    request: policy('request', limits.requests_per_minute),
    upload: policy('upload', limits.uploads_per_minute),
  };

  function policy(name: string, perMinute: number): Policy {
    if (perMinute === 0) return unlimited;
    const limiter = createRateLimiter(app.clock, perMinute);
    const judge = (ctx: Context | undefined, who: string, verdict: Verdict) => {
      if (ctx !== undefined) show(ctx, { name, perMinute, verdict });
      if (verdict.allowed) return;
      if (ctx !== undefined) remember(ctx, (next) => check(next, who));
      refused(name);
      const what = name === 'invalid' ? 'invalid bodies' : 'requests';
      throw tooMany(
        `${what}: ${perMinute} a minute are allowed (${name})`,
        verdict.retryAfterSeconds,
      );
    };
    const check = (ctx: Context, who: string) => {
      const verdict = limiter.foresee(who);
      if (!verdict.allowed) judge(ctx, who, verdict);
    };
    const verdictOn = async (who: string) => {
      if (shared === undefined) return limiter.take(who);
      const own = limiter.foresee(who);
      // What is refused here anyway costs the database nothing.
      if (!own.allowed) return own;
      const counting = shared.take(`${name} ${who}`, perMinute);
      if (own.remaining > Math.max(perMinute / 2, fewRequests)) {
        // Far from the limit nobody waits for the database.
        void counting.then((counted) => {
          if (counted === undefined) limiter.take(who, shared.servers() - 1);
          else limiter.follow(who, counted);
        });
        return limiter.take(who);
      }
      const counted = await counting;
      // Without the database, each server allows its share.
      if (counted === undefined) return limiter.take(who, shared.servers());
      return limiter.follow(who, counted);
    };
    return { check, count: async (ctx, who) => judge(ctx, who, await verdictOn(who)) };
  }

  async function count(
    ctx: Context | undefined,
    from: string,
    actor: Actor,
    limit: LimitClass | undefined,
  ): Promise<void> {
    const name = nameOf(actor);
    // A visitor can create any number of visitor ids, so the app of its key is counted.
    const together = actor.kind === 'visitor' ? `app:${actor.appId}` : name;
    if (actor.kind === 'user' || actor.kind === 'end_user') await user.count(ctx, name);
    if ('appId' in actor && actor.kind !== 'end_user') await key.count(ctx, together);
    if (limit !== undefined) await classes[limit].count(ctx, payerOf(actor, from));
  }

  function holdPlace(ctx: Context, who: string): void {
    if (!underWay.take(who)) {
      refused('at once');
      throw tooMany(`requests at once: ${limits.at_once_per_address} of one address are allowed`);
    }
    onRequestEnd(ctx, () => underWay.leave(who));
  }

  return {
    ...repeated,
    async countAddress(ctx) {
      const who = addressKey(clientAddress(ctx));
      await address.count(ctx, who);
      holdPlace(ctx, who);
    },
    async countCaller(ctx, actor, limit) {
      const from = clientAddress(ctx);
      ctx.state['payer'] = payerOf(actor, from);
      await count(ctx, from, actor, limit);
    },
    async countFrame(from, actor, limit) {
      await address.count(undefined, addressKey(from));
      if (actor !== undefined) await count(undefined, from, actor, limit);
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
        return await read(payer);
      } catch (error) {
        if (isRefusal(error) && invalidBody.has(error.code)) await invalid.count(ctx, payer);
        throw error;
      }
    },
  };
}

/**
 * The key by which expensive operations are counted. All visitors of a site share its key, so visitors are counted by
 * address, as are callers without credentials.
 */
function payerOf(actor: Actor, from: string): string {
  const address = addressKey(from);
  if (actor.kind === 'anonymous') return address;
  if (actor.kind === 'visitor' || actor.kind === 'widget_key')
    return `app:${actor.appId} ${address}`;
  return nameOf(actor);
}

/** The bytes that a body may hold in memory. For packed or chunked bodies the size is unknown. */
function mayHold({ req: { headers } }: Context): number {
  const isUnknown = 'transfer-encoding' in headers || 'content-encoding' in headers;
  return isUnknown ? Infinity : Number(headers['content-length'] ?? 0);
}

/** Errors of an invalid body, as opposed to errors of a busy server. */
const invalidBody = new Set<ErrorCode>([
  'invalid_request',
  'body_too_large',
  'unsupported_media_type',
]);

interface Policy {
  /** Counts one request. Errors: `rate_limited` when it exceeds the limit. */
  count(ctx: Context | undefined, who: string): Promise<void>;
  /** Refuses when `count` would by what this server knows, without counting. */
  check(ctx: Context, who: string): void;
}

/** With so few requests left, each one is counted in the database first. */
const fewRequests = 50;

const unlimited: Policy = { count: () => Promise.resolve(), check: () => undefined };

interface Counted {
  name: string;
  perMinute: number;
  verdict: Verdict;
}

/**
 * Reports to the client its state in all policies that counted the request (draft-ietf-httpapi-ratelimit-headers). The
 * three older headers, which many clients read, report the policy with the least left.
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
