import type { Knex } from 'knex';
import type { WithDb } from '../app.js';

/** A queue whose rows belong to organizations and are leased by workers. */
export interface SharedQueue {
  table: string;
  /** The status of rows that wait or are worked on. */
  status: string;
}

/**
 * The organization whose due row is next: the one with the fewest leases; among equals, the one whose last turn is
 * longest ago. Thus an organization with many due rows does not delay the others. Undefined when none is due.
 */
export async function nextInTurn(
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

/** Records that an organization has had its turn. Runs in the transaction that takes the lease. */
export async function recordTurn(
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
