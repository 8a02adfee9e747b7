import { findUser } from '../accounts/users/accounts.repository.js';
import type { App } from '../platform/app.js';
import { payerOf, type Channel } from './payer.js';
import { insertUsageEvent } from './usage.repository.js';

export interface UsageInput {
  organizationId: number;
  appId: number | null;
  /** One event per answered message. The database refuses a second one. */
  messageId: number;
  channel: Channel;
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
