import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Context } from 'koa';
import { addressKey, clientAddress } from './client-address.js';

/** Refuses with `rate_limited` while the limit still refuses its caller. */
type Recheck = (ctx: Context) => void;

/** Remembers which limit refused a credential last. To check a credential costs more than all else of a refusal. */
export interface KnownRefusals {
  /** Remembers that a limit refused this request, if `refuseAgain` saw its credential. */
  remember(ctx: Context, recheck: Recheck): void;
  /**
   * Refuses a request before its credential is checked, while the limit that refused the same credential on the same
   * operation still does so. Never allows anything: the credential is checked afterwards.
   */
  refuseAgain(ctx: Context, route: string): void;
}

const credentialHeaders = [
  'authorization',
  'cookie',
  'x-widget-key',
  'x-widget-secret',
  'x-visitor-token',
] as const;

export function createKnownRefusals(): KnownRefusals {
  const known = new LRUCache<string, { caller: unknown; recheck: Recheck }>({ max: 10_000 });
  return {
    remember(ctx, recheck) {
      const key = ctx.state['credentialKey'] as string | undefined;
      if (key !== undefined) known.set(key, { caller: ctx.state['caller'], recheck });
    },
    refuseAgain(ctx, route) {
      const key = keyOf(ctx, route);
      if (key === undefined) return;
      ctx.state['credentialKey'] = key;
      const before = known.get(key);
      if (before === undefined) return;
      // For the log.
      ctx.state['caller'] = before.caller;
      before.recheck(ctx);
      known.delete(key);
    },
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
