import { z } from 'zod';
import { presenter } from '../platform/wire-names.js';
import type { QuotaState } from './manage-quotas.js';
import { usageChannels } from './payer.js';
import type { UsageRow } from './usage.js';

const resetsAt = z.string().describe('When the next month begins, ISO 8601 in UTC.');

/** Fits the integers of every database. */
export const unitsPerMonth = z
  .number()
  .int()
  .min(0)
  .max(2_000_000_000)
  .nullable()
  .describe('Model tokens, and 1 for each answer that no model gave. Null: without bounds.');

export const quotaReply = z
  .object({
    user_id: z.number().nullable().describe('Null: the quota of the organization itself.'),
    email: z.string().nullable().describe('Of the user.'),
    units_per_month: unitsPerMonth,
    units_used: z.number().describe('The cost of this month so far.'),
    resets_at: resetsAt,
  })
  .meta({ id: 'Quota' });

const present = presenter(quotaReply);

export function presentQuota(state: QuotaState): z.output<typeof quotaReply> {
  const { user } = state;
  return present({ ...state, userId: user?.id ?? null, email: user?.email ?? null });
}

export const ownUsageReply = z.object({
  units: z.number().describe('Your usage of this month.'),
  messages: z.number().describe('How many answers that was.'),
  quota: z.number().nullable().describe('Units that you may use per month; null without a limit.'),
  resets_at: resetsAt,
});

export const presentOwnUsage = presenter(ownUsageReply);

const sums = {
  messages: z.number().describe('Answered messages.'),
  units: z.number().describe('Model tokens, and 1 for each answer that no model gave.'),
  paid_by_organization: z.number().describe('Units: widget and command line.'),
  paid_by_users: z
    .number()
    .describe('Units: API, extension, and questions tried in the backoffice.'),
};

export const usageTotals = z.object(sums);

export const usageRow = z
  .object({
    day: z.string().optional().describe('YYYY-MM-DD, in UTC.'),
    app_id: z.number().nullable().optional().describe('Null: on no page of an app.'),
    channel: z.enum(usageChannels).optional(),
    user_id: z.number().nullable().optional().describe('The user who asked; null: no user.'),
    ...sums,
  })
  .meta({ id: 'Usage' });

export const presentTotals = presenter(usageTotals);

export function presentUsage(row: UsageRow): z.output<typeof usageRow> {
  const { day, appId, channel, userId } = row;
  return {
    ...(day === undefined ? {} : { day }),
    ...(appId === undefined ? {} : { app_id: appId }),
    ...(channel === undefined ? {} : { channel }),
    ...(userId === undefined ? {} : { user_id: userId }),
    ...presentTotals(row),
  };
}
