import { randomUUID } from 'node:crypto';
import type { App, WithDb } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { countUpTo, type Page, type Paged } from '../platform/db/select-page.js';
import { takeInTurn, type SharedQueue } from '../platform/workers/fair-turns.repository.js';
import {
  deliveries,
  type Delivery,
  type DeliveryChannel,
  type DeliveryStatus,
} from './notification.js';

/** A delivery that a worker holds. Only the holder of the token may store its result. */
export interface LeasedDelivery extends Delivery {
  leaseToken: string;
}

type Store = Pick<App, 'db' | 'clock' | 'config'>;

export async function insertDeliveries(
  app: Pick<App, 'db' | 'clock'>,
  messages: Pick<
    Delivery,
    'organizationId' | 'notificationId' | 'channel' | 'target' | 'payload'
  >[],
): Promise<void> {
  const now = timestamp(app.clock);
  const fresh = { status: 'pending', notBefore: now, createdAt: now, updatedAt: now } as const;
  const rows = messages.map((message) => deliveries.columns({ ...message, ...fresh }));
  if (rows.length > 0) await app.db.write('outbox_deliveries').insert(rows);
}

const outbox: SharedQueue = { table: 'outbox_deliveries', status: 'pending' };

/**
 * Claims the next due delivery, including those of dead workers. Organizations share the senders fairly. The attempt
 * counts from here, before sending: a message that crashes its sender is not tried for ever.
 */
export async function claimDelivery(app: Store): Promise<LeasedDelivery | undefined> {
  const now = timestamp(app.clock);
  // Look without the lock first: usually nothing is due, and nobody has to wait.
  if ((await due(app, now).first('id')) === undefined) return undefined;
  return inTransaction(app, async (app) => {
    // Within an organization what was never tried comes first: a server that is down holds up no other messages.
    const how = { now, order: ['attempts', 'not_before', 'id'] };
    const row = await takeInTurn(app, outbox, () => due(app, now), how);
    if (row === undefined) return undefined;
    const next = deliveries.read(row);
    const leaseToken = randomUUID();
    const attempts = next.attempts + 1;
    await app.db
      .write('outbox_deliveries')
      .where({ id: next.id })
      .update({
        attempts,
        lease_token: leaseToken,
        lease_expires_at: timestamp(app.clock, app.config.notifications.lease_ms),
        updated_at: now,
      });
    return { ...next, attempts, leaseToken };
  });
}

function due(app: Store, now: string) {
  return app.db
    .read('outbox_deliveries')
    .where({ status: 'pending' })
    .where('not_before', '<=', now)
    .whereRaw('(lease_expires_at is null or lease_expires_at <= ?)', [now]);
}

/** The result of an attempt. A failure without `retryInMs` ends the delivery as dead. */
export type Outcome = ({ delivered: true } | { error: string; retryInMs: number | undefined }) & {
  /** The HTTP status of a webhook's answer; null without one. */
  answerStatus?: number | null;
};

/**
 * Stores the result of an attempt, if the worker still holds the lease. After a failure, a delivery that an admin has
 * reset meanwhile (its number of attempts then differs) stays due.
 */
export async function settleDelivery(
  app: Pick<App, 'db' | 'clock'>,
  { id, leaseToken, attempts }: LeasedDelivery,
  outcome: Outcome,
): Promise<void> {
  const now = timestamp(app.clock);
  const free = {
    lease_token: null,
    lease_expires_at: null,
    answer_status: outcome.answerStatus ?? null,
    updated_at: now,
  };
  const ended =
    'delivered' in outcome
      ? { status: 'delivered', delivered_at: now, last_error: null }
      : outcome.retryInMs === undefined
        ? { status: 'dead', last_error: outcome.error }
        : { last_error: outcome.error, not_before: timestamp(app.clock, outcome.retryInMs) };
  const held = () => app.db.write('outbox_deliveries').where({ id, lease_token: leaseToken });
  if ('delivered' in outcome) {
    await held().update({ ...free, ...ended });
    return;
  }
  const settled = await held()
    .where({ attempts })
    .update({ ...free, ...ended });
  if (settled === 0) await held().update({ ...free, last_error: outcome.error });
}

/** A page of the organization's deliveries, newest first. */
export async function listDeliveriesOf(
  app: WithDb,
  organizationId: number,
  page: Page & {
    status: DeliveryStatus | undefined;
    channel: DeliveryChannel | undefined;
    target?: string | undefined;
  },
): Promise<Paged<Delivery>> {
  const query = app.db.read('outbox_deliveries').where({ organization_id: organizationId });
  if (page.status !== undefined) query.where({ status: page.status });
  if (page.channel !== undefined) query.where({ channel: page.channel });
  if (page.target !== undefined) query.where({ target: page.target });
  const order = [{ column: 'id', order: 'desc' as const }];
  return deliveries.page(query, order, page);
}

export async function findDelivery(
  app: WithDb,
  organizationId: number,
  id: number,
): Promise<Delivery | undefined> {
  return deliveries.first(
    app.db.read('outbox_deliveries').where({ organization_id: organizationId, id }),
  );
}

/** Makes a delivery due now, with all attempts again. One that is being sent stays with its sender. */
export async function resetDelivery(app: Pick<App, 'db' | 'clock'>, id: number): Promise<void> {
  const now = timestamp(app.clock);
  await app.db
    .write('outbox_deliveries')
    .where({ id })
    .whereNot({ status: 'delivered' })
    .update({ status: 'pending', attempts: 0, not_before: now, updated_at: now });
}

/** The organization's deliveries that were given up, counted up to `most`. */
export function countDeadDeliveries(
  app: WithDb,
  organizationId: number,
  most: number,
): Promise<number> {
  const own = app.db.read('outbox_deliveries').where({ organization_id: organizationId });
  return countUpTo(app, own.where({ status: 'dead' }), most);
}

/** The number of deliveries by status in the whole installation, for the operator's graphs. */
export async function countDeliveriesByStatus(
  app: WithDb,
): Promise<{ status: string; count: number }[]> {
  const rows = await app.db
    .read<{ status: string }>('outbox_deliveries')
    .groupBy('status')
    .select('status')
    .count<{ status: string; count: number | string }[]>({ count: '*' });
  return rows.map(({ status, count }) => ({ status, count: Number(count) }));
}
