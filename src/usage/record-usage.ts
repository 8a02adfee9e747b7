import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';

export const channels = ['widget', 'extension', 'api', 'cli'] as const;
export type Channel = (typeof channels)[number];

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
  const personal = input.channel === 'api' || input.channel === 'extension';
  const payer = personal ? input.userId : undefined;
  await app.db.write('usage_events').insert({
    organization_id: input.organizationId,
    app_id: input.appId,
    message_id: input.messageId,
    channel: input.channel,
    units: input.units,
    user_id: input.userId ?? null,
    payer_organization_id: payer === undefined ? input.organizationId : null,
    payer_user_id: payer ?? null,
    created_at: timestamp(app.clock),
  });
}
