export const channels = ['widget', 'extension', 'api', 'cli'] as const;
export type Channel = (typeof channels)[number];

/** The payer of a message: an organization, or one of its users from personal credits. */
export type Payer = { organizationId: number } | { userId: number };

/** The payer by channel. API and extension: the user. Widget and operator's CLI: the organization, in any case. */
export function payerOf(asked: {
  organizationId: number;
  channel: Channel;
  userId: number | undefined;
}): Payer {
  const personal = asked.channel === 'api' || asked.channel === 'extension';
  return personal && asked.userId !== undefined
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
