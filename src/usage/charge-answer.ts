import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { findUser } from '../accounts/users/accounts.repository.js';
import { monthOf, payerOf, type UsageChannel } from './payer.js';
import { findQuota } from './quotas.repository.js';
import { insertUsageEvent, unitsPaidBy } from './usage.repository.js';

/**
 * Errors: `quota_exceeded` when the payer has used up the month's units, with the seconds until the next month.
 * Call it before anything of the message is stored. The cost of an answer is known only afterwards, so a quota can be
 * exceeded by the answers that are running when its last unit is used.
 */
export async function requireQuota(
  app: App,
  asked: { organizationId: number; channel: UsageChannel; userId: number | undefined },
): Promise<void> {
  const payer = payerOf(asked);
  const quota = await findQuota(app, payer);
  if (quota === undefined) return;
  const now = app.clock.now();
  const { start, next } = monthOf(now);
  const units = await unitsPaidBy(app, payer, start);
  if (units < quota.unitsPerMonth) return;
  const whose = 'userId' in payer ? 'Your' : 'The organization’s';
  const sentence =
    `${whose} ${quota.unitsPerMonth} units of this month are used up, and the question was not kept. ` +
    `Ask an admin for more, or ask again from ${next.slice(0, 10)} (UTC).`;
  const retryAfterSeconds = Math.ceil((Date.parse(next) - now.getTime()) / 1000);
  throw new AppError('quota_exceeded', sentence, {
    retryAfterSeconds,
    reason: { is: 'units_used', units: quota.unitsPerMonth, day: next.slice(0, 10) },
  });
}

interface UsageInput {
  organizationId: number;
  appId: number | null;
  /** One event per answered message. The database refuses a second one. Null: the answer was not stored. */
  messageId: number | null;
  channel: UsageChannel;
  /** Model tokens, or 1. */
  units: number;
  /** The user who asked. The user's credits pay, except for the widget and the operator's CLI. */
  userId: number | undefined;
}

/** Records the cost and the payer of an answered message. Runs inside the transaction that stores the answer. */
export async function recordUsage(app: App, input: UsageInput): Promise<void> {
  const { userId } = input;
  const isGone = userId !== undefined && (await findUser(app, userId)) === undefined;
  const payer = payerOf(input);
  await insertUsageEvent(app, {
    ...input,
    // A person who was erased while the answer was made is not named, as in earlier usage.
    userId: isGone ? undefined : userId,
    payer: isGone && 'userId' in payer ? { userId: 0 } : payer,
  });
}
