export const channels = ['widget', 'extension', 'api', 'cli'] as const;
export type Channel = (typeof channels)[number];

/** Who pays for a message: an organization, or one of its users out of personal credits. */
export type Payer = { organizationId: number } | { userId: number };

/**
 * The one who pays for what is asked over a channel: the user over api and extension; the organization over
 * its widget and its operator's CLI, whether or not a user is recognised there.
 */
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

/** The calendar month in UTC that a time lies in: its first moment, and that of the next month. */
export function monthOf(time: Date): { start: string; next: string } {
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()];
  return {
    start: new Date(Date.UTC(year, month)).toISOString(),
    next: new Date(Date.UTC(year, month + 1)).toISOString(),
  };
}
