import type { Knex } from 'knex';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { selectPage, type Order, type Page, type Paged } from '../platform/db/select-page.js';
import type { Payer, UsageChannel } from './payer.js';
import type { UsageGroup, UsageRow, UsageSums } from './usage.js';

type Store = Pick<App, 'db' | 'clock'>;

export interface UsageFilter {
  organizationId: number;
  /** Times, both inclusive. */
  first?: string | undefined;
  last?: string | undefined;
  appId?: number | undefined;
  channel?: UsageChannel | undefined;
  /** The asker. */
  userId?: number | undefined;
}

const columnOf = { day: 'day', app: 'app_id', channel: 'channel', user: 'user_id' } as const;

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

/** The use of a payer since a time. */
export async function sumPaidBy(
  app: Store,
  payer: Payer,
  since: string,
): Promise<{ units: number; messages: number }> {
  const owner =
    'userId' in payer
      ? { payer_user_id: payer.userId }
      : { payer_organization_id: payer.organizationId };
  const row = (await app.db
    .read('usage_events')
    .where(owner)
    .where('created_at', '>=', since)
    .select(app.db.read.raw('sum(messages) as messages, sum(units) as units'))
    .first()) as { messages: number | null; units: number | null };
  return { messages: row.messages ?? 0, units: row.units ?? 0 };
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
    .groupByRaw('app_id, channel, payer_organization_id, payer_user_id is null')
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
  sum(case when payer_user_id is null then units else 0 end) as paid_by_organization,
  sum(case when payer_user_id is null then 0 else units end) as paid_by_users`;

interface SumsRow {
  messages: number | null;
  units: number | null;
  paid_by_organization: number | null;
  paid_by_users: number | null;
}

type GroupedRow = SumsRow & {
  day?: string;
  app_id?: number | null;
  channel?: UsageChannel;
  user_id?: number | null;
};

/** A page of an organization's usage, summed by the groups: the latest day first, then in the groups' order. */
export async function listUsageBy(
  app: Store,
  filter: UsageFilter,
  groups: UsageGroup[],
  page: Page,
): Promise<Paged<UsageRow>> {
  const grouped = matching(app, filter);
  for (const group of groups) {
    const column = group === 'day' ? 'substr(created_at, 1, 10)' : columnOf[group];
    void grouped.select(app.db.read.raw(`${column} as ${columnOf[group]}`)).groupByRaw(column);
  }
  void grouped.select(app.db.read.raw(sums));
  const order = groups.map((group): Order => ({
    column: columnOf[group],
    order: group === 'day' ? 'desc' : 'asc',
  }));
  const all = app.db.read.from(grouped.as('sums'));
  // Counted along with the rows: grouping twice would take twice as long.
  const rows = (await all
    .clone()
    .select('*', app.db.read.raw('count(*) over () as total'))
    .orderBy(order)
    .offset((page.page - 1) * page.limit)
    .limit(page.limit)) as (GroupedRow & { total: number })[];
  const [first] = rows;
  if (first !== undefined) return { items: rows.map(toRow), total: first.total };
  return selectPage<GroupedRow, UsageRow>(all, order, page, toRow);
}

export async function sumUsage(app: Store, filter: UsageFilter): Promise<UsageSums> {
  const query = matching(app, filter).select(app.db.read.raw(sums));
  const [row] = (await query) as SumsRow[];
  if (row === undefined) throw new Error('a sum over all rows answered no row');
  return toSums(row);
}

function matching(app: Store, filter: UsageFilter): Knex.QueryBuilder {
  const query = app.db.read('usage_events').where({ organization_id: filter.organizationId });
  if (filter.first !== undefined) void query.where('created_at', '>=', filter.first);
  if (filter.last !== undefined) void query.where('created_at', '<=', filter.last);
  if (filter.appId !== undefined) void query.where({ app_id: filter.appId });
  if (filter.channel !== undefined) void query.where({ channel: filter.channel });
  if (filter.userId !== undefined) void query.where({ user_id: filter.userId });
  return query;
}

function toSums(row: SumsRow): UsageSums {
  return {
    messages: row.messages ?? 0,
    units: row.units ?? 0,
    paidByOrganization: row.paid_by_organization ?? 0,
    paidByUsers: row.paid_by_users ?? 0,
  };
}

function toRow(row: GroupedRow): UsageRow {
  const { day, app_id: appId, channel, user_id: userId } = row;
  return {
    ...(day === undefined ? {} : { day }),
    ...(appId === undefined ? {} : { appId }),
    ...(channel === undefined ? {} : { channel }),
    ...(userId === undefined ? {} : { userId }),
    ...toSums(row),
  };
}

/** A query of the ids of answers to a user of the organization, even a deleted one. */
export function messagesAskedBy(
  app: Pick<App, 'db'>,
  organizationId: number,
  userId: number,
): Knex.QueryBuilder {
  const asked = { organization_id: organizationId, user_id: userId };
  return app.db.read('usage_events').where(asked).select('message_id');
}
