import type { UsageChannel } from './payer.js';

export const usageGroups = ['day', 'app', 'channel', 'user'] as const;
/** The groups by which usage can be summed. */
export type UsageGroup = (typeof usageGroups)[number];

/** The fields of the groups in a row of sums. */
export const fieldOf = { day: 'day', app: 'appId', channel: 'channel', user: 'userId' } as const;

export interface UsageSums {
  /** Answered messages. */
  messages: number;
  /** Model tokens, and 1 for each answer without a model. */
  units: number;
  paidByOrganization: number;
  paidByUsers: number;
}

export const noUsage: UsageSums = {
  messages: 0,
  units: 0,
  paidByOrganization: 0,
  paidByUsers: 0,
};

export interface UsageRow extends UsageSums {
  /** `YYYY-MM-DD`, in UTC. */
  day?: string;
  /** Null: on no page of an app. */
  appId?: number | null;
  channel?: UsageChannel;
  /** The asker; null when not a user. */
  userId?: number | null;
}

export function addUsage(one: UsageSums, other: UsageSums): UsageSums {
  return {
    messages: one.messages + other.messages,
    units: one.units + other.units,
    paidByOrganization: one.paidByOrganization + other.paidByOrganization,
    paidByUsers: one.paidByUsers + other.paidByUsers,
  };
}

/** Sums of rows by groups: the latest day first, then in the groups' order. */
export function sumBy(rows: readonly UsageRow[], groups: readonly UsageGroup[]): UsageRow[] {
  const fields = groups.map((group) => fieldOf[group]);
  const sums = new Map<string, UsageRow>();
  for (const row of rows) {
    const key = fields.map((field) => row[field]).join(' ');
    const known = sums.get(key);
    const own = known ?? Object.fromEntries(fields.map((field) => [field, row[field]]));
    sums.set(key, { ...own, ...addUsage(known ?? noUsage, row) });
  }
  return [...sums.values()].sort((one, other) => {
    for (const field of fields) {
      const [a, b] = [one[field] ?? 0, other[field] ?? 0];
      if (a !== b) return a < b === (field === 'day') ? 1 : -1;
    }
    return 0;
  });
}
