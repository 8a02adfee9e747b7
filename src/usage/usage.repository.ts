import type { Knex } from 'knex';
import type { Store, WithDb } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import type { CountedTimes } from '../platform/figures/counted-days.repository.js';
import type { Payer, UsageChannel } from './payer.js';
import { fieldOf, type UsageRow } from './usage.js';

const columnOf = { app: 'app_id', channel: 'channel', user: 'user_id' } as const;

export async function insertUsageEvent(
  app: Store,
  event: {
    organizationId: number;
    appId: number | null;
    messageId: number | null;
    channel: UsageChannel;
    units: number;
    userId: number | undefined;
    payer: Payer;
  },
): Promise<void> {
  const { payer } = event;
  await app.db.write('usage_events').insert({
    organization_id: event.organizationId,
    app_id: event.appId,
    message_id: event.messageId,
    channel: event.channel,
    units: event.units,
    user_id: event.userId ?? null,
    payer_organization_id: 'organizationId' in payer ? payer.organizationId : null,
    payer_user_id: 'userId' in payer ? payer.userId : null,
    created_at: timestamp(app.clock),
  });
}

/** The units that a payer has used since a time. Reads an index alone, because it is asked before each answer. */
export async function unitsPaidBy(app: Store, payer: Payer, since: string): Promise<number> {
  const [row] = await paidBy(app, payer, since).sum<{ units: number | null }[]>({ units: 'units' });
  return row?.units ?? 0;
}

/** The answered messages that a payer has paid for since a time. */
export async function messagesPaidBy(app: Store, payer: Payer, since: string): Promise<number> {
  const [row] = await paidBy(app, payer, since).sum<{ messages: number | null }[]>({
    messages: 'messages',
  });
  return row?.messages ?? 0;
}

function paidBy(app: Store, payer: Payer, since: string) {
  const owner =
    'userId' in payer
      ? { payer_user_id: payer.userId }
      : { payer_organization_id: payer.organizationId };
  return app.db.read('usage_events').where(owner).where('created_at', '>=', since);
}

/**
 * Replaces the details of the oldest day before a time by sums per app, channel and kind of payer, which name no person
 * and no message. Returns the number of replaced details; 0 when none is left.
 */
export async function sumUpOldestDay(
  app: Store,
  organizationId: number,
  before: string,
): Promise<number> {
  const details = () =>
    app.db
      .read('usage_events')
      .where({ organization_id: organizationId })
      .where('created_at', '<', before)
      // A tried question has no message. Its sum names no payer either.
      .whereRaw('(message_id > 0 or (message_id is null and payer_user_id > 0))');
  const oldest = (await details().min({ time: 'created_at' }).first()) as { time: string | null };
  if (oldest.time === null) return 0;
  const day = oldest.time.slice(0, 10);
  const ofDay = () => details().where('created_at', '<=', `${day}T23:59:59.999Z`);
  const summed: object[] = await ofDay()
    .groupByRaw('organization_id, app_id, channel, payer_organization_id, payer_user_id is null')
    .select(
      'organization_id',
      'app_id',
      'channel',
      'payer_organization_id',
      app.db.read.raw('case when payer_user_id is null then null else 0 end as payer_user_id'),
      app.db.read.raw('-min(message_id) as message_id, ? as created_at', [`${day}T00:00:00.000Z`]),
      app.db.read.raw('sum(units) as units, sum(messages) as messages'),
    );
  const deleted = await ofDay().delete();
  for (const row of summed) await app.db.write('usage_events').insert(row);
  return deleted;
}

/** The units that each of the users has paid since a time; users without any are omitted. */
export async function unitsPaidByEach(
  app: Store,
  userIds: number[],
  since: string,
): Promise<Map<number, number>> {
  const rows = await app.db
    .read('usage_events')
    .whereIn('payer_user_id', userIds)
    .where('created_at', '>=', since)
    .groupBy('payer_user_id')
    .select<{ payer_user_id: number; units: number }[]>(
      app.db.read.raw('payer_user_id, sum(units) as units'),
    );
  return new Map(rows.map((row) => [row.payer_user_id, row.units]));
}

const sums = `sum(messages) as messages, sum(units) as units,
  sum(case when payer_user_id is null then units else 0 end) as "paidByOrganization",
  sum(case when payer_user_id is null then 0 else units end) as "paidByUsers"`;

/** The usage of an organization between two times, summed by the groups. */
export async function sumUsageBy(
  app: Store,
  organizationId: number,
  { first, next }: CountedTimes,
  groups: readonly (keyof typeof columnOf)[],
): Promise<UsageRow[]> {
  const columns = groups.map((group) => columnOf[group]);
  return app.db
    .read('usage_events')
    .where({ organization_id: organizationId })
    .where('created_at', '>=', first)
    .where('created_at', '<', next)
    .groupBy(columns)
    .select(
      ...groups.map((group) => `${columnOf[group]} as ${fieldOf[group]}`),
      app.db.read.raw(sums),
    );
}

/** Whether somebody of the organization has tried a question. */
export async function hasTried(app: Store, organizationId: number): Promise<boolean> {
  const tried = { organization_id: organizationId, channel: 'try' };
  return (await app.db.read('usage_events').where(tried).first('id')) !== undefined;
}

/** When an organization first used something. */
export async function findFirstUse(app: Store, organizationId: number): Promise<string | null> {
  const [row] = await app.db
    .read('usage_events')
    .where({ organization_id: organizationId })
    .min<{ time: string | null }[]>({ time: 'created_at' });
  return row?.time ?? null;
}

/** A query of the ids of answers to a user of the organization, even a deleted one. */
export function messagesAskedBy(
  app: WithDb,
  organizationId: number,
  userId: number,
): Knex.QueryBuilder {
  const asked = { organization_id: organizationId, user_id: userId };
  return app.db.read('usage_events').where(asked).select('message_id');
}
