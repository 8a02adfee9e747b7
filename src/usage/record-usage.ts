import { findUser } from '../accounts/users/accounts.repository.js';
import type { App } from '../platform/app.js';
import { payerOf, type Channel } from './payer.js';
import { insertUsageEvent } from './usage.repository.js';

export interface UsageInput {
  organizationId: number;
  appId: number | null;
  /** One event per answered message: a second one for it is refused by the database. */
  messageId: number;
  channel: Channel;
  /** Model tokens, or 1. */
  units: number;
  /** Who asked, where it was a user: whose personal credits pay, save for the widget and the operator's CLI. */
  userId: number | undefined;
}

/** Writes what an answered message cost, and who pays. Runs inside the transaction that stores the answer. */
export async function recordUsage(app: App, input: UsageInput): Promise<void> {
  const { userId } = input;
  const isGone = userId !== undefined && (await findUser(app, userId)) === undefined;
  const payer = payerOf(input);
  await insertUsageEvent(app, {
    ...input,
    // Who was erased while the answer was made is named no more: as in what they used before.
    userId: isGone ? undefined : userId,
    payer: isGone && 'userId' in payer ? { userId: 0 } : payer,
  });
}
