import type { Knex } from 'knex';
import { userIdsOf } from '../accounts/users/accounts.repository.js';
import { forgetChanges } from '../audit/audit-log.repository.js';
import type { WithDb } from '../platform/app.js';
import { personalTables } from './personal-tables.js';
import type { RetentionKind } from './retention.js';

interface DaysRow {
  organization_id: number;
  kind: RetentionKind;
  days: number;
}

/** The retention days that an organization chose itself. */
export async function findOwnDays(
  app: WithDb,
  organizationId: number,
): Promise<Partial<Record<RetentionKind, number>>> {
  const rows = await app.db
    .read<DaysRow>('retention_days')
    .where({ organization_id: organizationId })
    .select('*');
  return Object.fromEntries(rows.map(({ kind, days }) => [kind, days]));
}

/** Sets or removes (null) an organization's own retention days of a kind. */
export async function storeOwnDays(
  app: WithDb,
  organizationId: number,
  kind: RetentionKind,
  days: number | null,
): Promise<void> {
  const key = { organization_id: organizationId, kind };
  if (days === null) await app.db.write('retention_days').where(key).delete();
  else {
    const rows = app.db.write('retention_days').insert({ ...key, days });
    await rows.onConflict(['organization_id', 'kind']).merge();
  }
}

interface Kept {
  table: string;
  key: string;
  /** The column with the time from which the age counts. */
  time: string;
  /** The row's name in the audit log, which contains nothing else of it. */
  subject?: string;
  /** A column to empty; the row then stays. */
  blank?: string;
}

/** The storage of each kind. Usage is summed up instead. */
const kept: Record<Exclude<RetentionKind, 'usage'>, Kept> = {
  conversations: { table: 'conversations', key: 'id', time: 'updated_at' },
  requests: { table: 'knowledge_requests', key: 'id', time: 'updated_at', subject: 'request:' },
  feedback: { table: 'message_feedback', key: 'message_id', time: 'updated_at', blank: 'comment' },
  notifications: { table: 'notifications', key: 'id', time: 'created_at' },
  audit: { table: 'audit_log', key: 'id', time: 'created_at' },
  sign_in_places: { table: 'sign_in_places', key: 'place_hash', time: 'seen_at' },
};

/** Deletes or empties at most `limit` rows of an organization that are older than a time. Returns their number. */
export async function removeOld(
  app: WithDb,
  organizationId: number,
  kind: Exclude<RetentionKind, 'usage'>,
  { before, limit }: { before: string; limit: number },
): Promise<number> {
  const { table, key, time, subject, blank } = kept[kind];
  const old = inOrganization(app, table, organizationId).where(time, '<', before);
  if (blank !== undefined) void old.whereNotNull(blank);
  const keys = (await old.orderBy(time).limit(limit).pluck(key)) as (string | number)[];
  if (subject !== undefined) {
    const subjects = keys.map((id) => `${subject}${id}`);
    await forgetChanges(app, organizationId, subjects);
  }
  const rows = app.db.write(table).whereIn(key, keys);
  return blank === undefined ? rows.delete() : rows.update({ [blank]: null });
}

/** An organization's rows of a personal table: by its column, or by their parent. */
function inOrganization(app: WithDb, table: string, organizationId: number): Knex.QueryBuilder {
  const rows: Knex.QueryBuilder = app.db.read(table);
  const declared = personalTables.find((one) => one.table === table);
  if (declared?.organization === true) return rows.where({ organization_id: organizationId });
  const [link] = declared?.rows ?? [];
  if (link === undefined) throw new Error(`${table} is no personal table`);
  if (!('of' in link)) return rows.whereIn(link.column, userIdsOf(app, organizationId));
  return rows.whereIn(link.column, inOrganization(app, link.of, organizationId).select('id'));
}
