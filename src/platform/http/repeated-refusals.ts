import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Context } from 'koa';
import type { App } from '../app.js';
import type { Clock } from '../clock.js';
import { pause } from '../retry.js';
import { addressKey, clientAddress } from './client-address.js';
import { createRateLimiter } from './rate-limiter.js';
import { goneSignal } from './request-end.js';

/** Errors: `rate_limited` while the limit still refuses its caller. */
type Recheck = (ctx: Context) => void;

/** Keeps cheap what senders cost that repeat what is refused. */
export interface RepeatedRefusals {
  /** Remembers that a limit refused this request, if `refuseAgain` saw its credential. */
  remember: (ctx: Context, recheck: Recheck) => void;
  /**
   * Refuses a request before its credential is checked, while the limit that refused the same credential on the same
   * operation still does so. Never allows anything: the credential is checked afterwards. To check a credential costs
   * more than all else of a refusal.
   */
  refuseAgain(ctx: Context, route: string): void;
  /**
   * Delays a refusal when the address or the caller of the request was refused often in the last minute. Ends early when
   * the client disconnects.
   */
  delayRefusal(ctx: Context): Promise<void>;
}

const credentialHeaders = [
  'authorization',
  'cookie',
  'x-widget-key',
  'x-widget-secret',
  'x-visitor-token',
] as const;

export function createRepeatedRefusals({ clock, config, stopping }: App): RepeatedRefusals {
  const known = new LRUCache<string, { sender: Sender; recheck: Recheck }>({
    maxSize: 10_000,
    sizeCalculation: () => 1,
  });
  const delayOf = createRefusalDelays(clock, config.limits.refusal_delay_ms);
  return {
    remember(ctx, recheck) {
      const key = ctx.state['credentialKey'] as string | undefined;
      const { caller, payer } = ctx.state as Sender;
      if (key !== undefined) known.set(key, { sender: { caller, payer }, recheck });
    },
    refuseAgain(ctx, route) {
      const key = keyOf(ctx, route);
      if (key === undefined) return;
      ctx.state['credentialKey'] = key;
      const before = known.get(key);
      if (before === undefined) return;
      Object.assign(ctx.state, before.sender);
      before.recheck(ctx);
      known.delete(key);
    },
    async delayRefusal(ctx) {
      const { payer } = ctx.state as Sender;
      const ms = delayOf(addressKey(clientAddress(ctx)), payer);
      if (ms > 0) await pause(ms, goneSignal(ctx, stopping));
    },
  };
}

/** The sender of a request, as far as it is known: the caller for the log, and the payer for the limits. */
interface Sender {
  caller?: string | undefined;
  payer?: string | undefined;
}

/** Refusals per sender and minute that are not delayed. */
const promptRefusals = 20;
/** The longest delay, as a multiple of the shortest: so many refusals of a sender may wait in its line. */
const longestLine = 20;

/**
 * Returns how many milliseconds the next refusal of an address, and of the caller if it is known, has to wait. The first
 * 20 in a minute do not wait. Each further one waits `apartMs`, and is at least `apartMs` after the one before, so that
 * more connections or addresses get a caller no more refusals.
 */
export function createRefusalDelays(clock: Pick<Clock, 'elapsed'>, apartMs: number) {
  const refusals = createRateLimiter(clock, promptRefusals);
  // A size in place of `max`, which would reserve its place at once: 3 MB, in 17 ms of each start.
  const lines = new LRUCache<string, number>({ maxSize: 100_000, sizeCalculation: () => 1 });
  const delayOf = (sender: string) => {
    if (apartMs === 0 || refusals.take(sender).allowed) return 0;
    const now = clock.elapsed();
    const last = Math.max(now, lines.get(sender) ?? 0);
    const at = Math.min(last, now + (longestLine - 1) * apartMs) + apartMs;
    lines.set(sender, at);
    return at - now;
  };
  return (address: string, caller = address): number => {
    return caller === address ? delayOf(address) : Math.max(delayOf(address), delayOf(caller));
  };
}

/**
 * A hash of the operation and of all that decides who the caller is: credentials are not kept in memory. Undefined
 * without a credential.
 */
function keyOf(ctx: Context, route: string): string | undefined {
  const sent = credentialHeaders.map((name) => ctx.req.headers[name]);
  if (sent.every((header) => header === undefined)) return undefined;
  const all = [ctx.method, route, addressKey(clientAddress(ctx)), ...sent];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64');
}
