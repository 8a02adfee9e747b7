import type { Knex } from 'knex';
import type { WithDb } from '../app.js';

/** A queue whose rows belong to organizations and are leased by workers. */
export interface SharedQueue {
  table: string;
  /** The status of rows that wait or are worked on. */
  status: string;
}

/**
 * Takes the first due row of the organization that is next, and records its turn. Undefined when no row is due. Runs at
 * the beginning of a transaction that then leases the row.
 */
export async function takeInTurn(
  app: WithDb,
  queue: SharedQueue,
  due: () => Knex.QueryBuilder,
  { now, order }: { now: string; order: string[] },
): Promise<object | undefined> {
  const { dialect, write } = app.db;
  await dialect.beginClaim(write);
  const organizationId = await nextInTurn(app, queue, due(), now);
  if (organizationId === undefined) return undefined;
  const first = async (query: Knex.QueryBuilder) => {
    const row: unknown = await dialect.passingLocked(query.orderBy(order)).first();
    return row as { organization_id: number } | undefined;
  };
  const own = await first(due().where({ organization_id: organizationId }));
  // Others may be taking all rows of this organization just now.
  const row = own ?? (await first(due()));
  if (row !== undefined) await recordTurn(app, queue, row.organization_id);
  return row;
}

/**
 * The organization whose due row is next: the one with the fewest leases; among equals, the one whose last turn is
 * longest ago. Thus an organization with many due rows does not delay the others. Undefined when none is due.
 */
async function nextInTurn(
  app: WithDb,
  { table, status }: SharedQueue,
  due: Knex.QueryBuilder,
  now: string,
): Promise<number | undefined> {
  const { read } = app.db;
  const byOrganization = (rows: Knex.QueryBuilder) =>
    rows.groupBy('organization_id').select('organization_id');
  const held = byOrganization(
    read(table).where({ status }).where('lease_expires_at', '>', now).count({ leases: '*' }),
  );
  const turns = read('work_turns').where({ queue: table });
  const row: { organization_id: number } | undefined = await read
    .from(byOrganization(due).as('due'))
    .leftJoin(held.as('held'), 'held.organization_id', 'due.organization_id')
    .leftJoin(turns.as('turns'), 'turns.organization_id', 'due.organization_id')
    .orderByRaw('coalesce(held.leases, 0), coalesce(turns.turn, 0), due.organization_id')
    .first('due.organization_id');
  return row?.organization_id;
}

/** Records that an organization has had its turn. */
async function recordTurn(
  app: WithDb,
  { table }: SharedQueue,
  organizationId: number,
): Promise<void> {
  const { write } = app.db;
  const last = '(select coalesce(max(turn), 0) from work_turns where queue = ?)';
  await write('work_turns')
    .insert({
      queue: table,
      organization_id: organizationId,
      turn: write.raw(`${last} + 1`, [table]),
    })
    .onConflict(['queue', 'organization_id'])
    .merge();
}
