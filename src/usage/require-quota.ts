import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { monthOf, payerOf, type Channel } from './payer.js';
import { findQuota } from './quotas.repository.js';
import { sumPaidBy } from './usage.repository.js';

/**
 * Refuses with `quota_exceeded`, and the seconds until the next month, when the payer has used up the month's units.
 * Call it before anything of the message is stored. The cost of an answer is known only afterwards, so a quota can be
 * exceeded by the answers that are running when its last unit is used.
 */
export async function requireQuota(
  app: App,
  asked: { organizationId: number; channel: Channel; userId: number | undefined },
): Promise<void> {
  const payer = payerOf(asked);
  const quota = await findQuota(app, payer);
  if (quota === undefined) return;
  const now = app.clock.now();
  const { start, next } = monthOf(now);
  const { units } = await sumPaidBy(app, payer, start);
  if (units < quota.unitsPerMonth) return;
  const whose = 'userId' in payer ? 'Your' : 'The organization’s';
  const sentence =
    `${whose} ${quota.unitsPerMonth} units of this month are used up, and the question was not kept. ` +
    `Ask an admin for more, or ask again from ${next.slice(0, 10)} (UTC).`;
  const retryAfterSeconds = Math.ceil((Date.parse(next) - now.getTime()) / 1000);
  throw new AppError('quota_exceeded', sentence, { retryAfterSeconds });
}
