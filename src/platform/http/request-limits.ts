import type { Context } from 'koa';
import { nameOf, type Actor } from '../actor.js';
import type { App } from '../app.js';
import { AppError } from '../errors.js';
import { addressKey, clientAddress } from './client-address.js';
import { createRateLimiter, windowMs, type Verdict } from './rate-limiter.js';

/** What costs more than others: an operation that names one counts against it as well. */
export type LimitClass = 'message' | 'request' | 'upload';

/** What watches over the server must reach it while it is flooded: its requests are not counted. */
export function isCounted(path: string): boolean {
  return !path.startsWith('/health/') && path !== '/metrics';
}

export interface RequestLimits {
  /** Counts a request before anything is known of it. Refuses with `rate_limited`. */
  countAddress(ctx: Context): void;
  /** Counts it once more for who makes it, and for what it costs. Refuses with `rate_limited`. */
  countCaller(ctx: Context, actor: Actor, limit: LimitClass | undefined): void;
  /** Counts what comes over a socket by all that would count it as a request. Refuses with `rate_limited`. */
  countFrame(address: string, actor: Actor | undefined, limit: LimitClass | undefined): void;
}

/** The limits of one server, counted in its memory; `refused` is told the policy that was exceeded. */
export function createRequestLimits(app: App, refused: (policy: string) => void): RequestLimits {
  const { limits } = app.config;
  const address = policy('address', limits.address_per_minute);
  const user = policy('user', limits.user_per_minute);
  const key = policy('key', limits.key_per_minute);
  const classes = {
    message: policy('message', limits.messages_per_minute),
    request: policy('request', limits.requests_per_minute),
    upload: policy('upload', limits.uploads_per_minute),
  };

  function policy(name: string, perMinute: number) {
    if (perMinute === 0) return () => undefined;
    const limiter = createRateLimiter(app.clock, perMinute);
    return (ctx: Context | undefined, who: string): void => {
      const verdict = limiter.take(who);
      if (ctx !== undefined) show(ctx, { name, perMinute, verdict });
      if (verdict.allowed) return;
      refused(name);
      const { retryAfterSeconds } = verdict;
      const sentence = `Too many requests: ${perMinute} a minute are allowed (${name}). Try again in ${retryAfterSeconds} s.`;
      throw new AppError('rate_limited', sentence, { retryAfterSeconds });
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
    if (actor.kind === 'user' || actor.kind === 'end_user') user(ctx, name);
    if ('appId' in actor && actor.kind !== 'end_user') key(ctx, shared);
    if (limit === undefined) return;
    // All visitors of a site share its key: what is dear is counted for each of them, by the address.
    const sharing = ['visitor', 'widget_key', 'anonymous'].includes(actor.kind);
    classes[limit](ctx, sharing ? `${shared} ${addressKey(from)}` : name);
  }

  return {
    countAddress: (ctx) => address(ctx, addressKey(clientAddress(ctx))),
    countCaller: (ctx, actor, limit) => count(ctx, clientAddress(ctx), actor, limit),
    countFrame(from, actor, limit) {
      address(undefined, addressKey(from));
      if (actor !== undefined) count(undefined, from, actor, limit);
    },
  };
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
    list(({ perMinute }) => `q=${perMinute};w=${windowMs / 1000}`),
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
