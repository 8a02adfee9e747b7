import type { UsageChannel } from './payer.js';

export const usageGroups = ['day', 'app', 'channel', 'user'] as const;
/** The groups by which usage can be summed. */
export type UsageGroup = (typeof usageGroups)[number];

export interface UsageSums {
  /** Answered messages. */
  messages: number;
  /** Model tokens, and 1 for each answer without a model. */
  units: number;
  paidByOrganization: number;
  paidByUsers: number;
}

export interface UsageRow extends UsageSums {
  /** `YYYY-MM-DD`, in UTC. */
  day?: string;
  /** Null: on no page of an app. */
  appId?: number | null;
  channel?: UsageChannel;
  /** The asker; null when not a user. */
  userId?: number | null;
}
