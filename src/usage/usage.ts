import type { Channel } from './payer.js';

export const usageGroups = ['day', 'app', 'channel', 'user'] as const;
/** What usage is summed by. */
export type UsageGroup = (typeof usageGroups)[number];

export interface UsageSums {
  /** Answered messages. */
  messages: number;
  /** Model tokens, and 1 for each answer that no model gave. */
  units: number;
  paidByOrganization: number;
  paidByUsers: number;
}

/** Sums, with what they were summed by. */
export interface UsageRow extends UsageSums {
  /** `YYYY-MM-DD`, in UTC. */
  day?: string;
  /** Null: on no page of an app. */
  appId?: number | null;
  channel?: Channel;
  /** Who asked; null for an asker who is no user. */
  userId?: number | null;
}
