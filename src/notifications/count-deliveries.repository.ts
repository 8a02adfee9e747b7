import type { App } from '../platform/app.js';

/** How many deliveries of the whole installation stand in each status: for its operator's graphs. */
export async function countDeliveriesByStatus(
  app: Pick<App, 'db'>,
): Promise<{ status: string; count: number }[]> {
  const rows = await app.db
    .read<{ status: string }>('outbox_deliveries')
    .groupBy('status')
    .select('status')
    .count<{ status: string; count: number | string }[]>({ count: '*' });
  return rows.map(({ status, count }) => ({ status, count: Number(count) }));
}
