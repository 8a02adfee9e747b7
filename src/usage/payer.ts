export const channels = ['widget', 'extension', 'api', 'cli'] as const;
export type Channel = (typeof channels)[number];

/** Where units are used: the channels of conversations, and questions that staff try without a conversation. */
export const usageChannels = [...channels, 'try'] as const;
export type UsageChannel = (typeof usageChannels)[number];

/** The payer of a message: an organization, or one of its users from personal credits. */
export type Payer = { organizationId: number } | { userId: number };

/** The payer by channel. API, extension and tried questions: the user. Widget and operator's CLI: the organization, in any case. */
export function payerOf(asked: {
  organizationId: number;
  channel: UsageChannel;
  userId: number | undefined;
}): Payer {
  const isPersonal = asked.channel !== 'widget' && asked.channel !== 'cli';
  return isPersonal && asked.userId !== undefined
    ? { userId: asked.userId }
    : { organizationId: asked.organizationId };
}

/** The calendar month in UTC that contains a time: its first moment, and that of the next month. */
export function monthOf(time: Date): { start: string; next: string } {
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()];
  return {
    start: new Date(Date.UTC(year, month)).toISOString(),
    next: new Date(Date.UTC(year, month + 1)).toISOString(),
  };
}
