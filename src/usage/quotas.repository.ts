import type { Knex } from 'knex';
import type { Store } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { selectPage, type Page, type Paged } from '../platform/db/select-page.js';
import type { Payer } from './payer.js';

/** A payer's quota for a calendar month. */
export interface Quota {
  payer: Payer;
  unitsPerMonth: number;
  updatedAt: string;
}

interface QuotaRow {
  id: number;
  organization_id: number | null;
  user_id: number | null;
  units_per_month: number;
  updated_at: string;
}

export async function findQuota(app: Store, payer: Payer): Promise<Quota | undefined> {
  const row = (await app.db.read('quotas').where(columnsOf(payer)).first()) as QuotaRow | undefined;
  return row === undefined ? undefined : toQuota(row);
}

/** Creates or replaces a payer's quota. */
export async function storeQuota(app: Store, payer: Payer, unitsPerMonth: number): Promise<void> {
  const now = timestamp(app.clock);
  const change = { units_per_month: unitsPerMonth, updated_at: now };
  await app.db
    .write('quotas')
    .insert({ ...columnsOf(payer), ...change, created_at: now })
    .onConflict('userId' in payer ? 'user_id' : 'organization_id')
    .merge(change);
}

export async function deleteQuota(app: Store, payer: Payer): Promise<void> {
  await app.db.write('quotas').where(columnsOf(payer)).delete();
}

/** A page of the quotas of an organization and of its users (ids from `userIds`). */
export async function listQuotasOf(
  app: Store,
  organizationId: number,
  userIds: Knex.QueryBuilder,
  page: Page,
): Promise<Paged<Quota>> {
  const query = app.db.read('quotas').where((either) => {
    void either.where({ organization_id: organizationId }).orWhereIn('user_id', userIds);
  });
  return selectPage(query, [{ column: 'id' }], page, toQuota);
}

function columnsOf(payer: Payer): Record<string, number> {
  return 'userId' in payer ? { user_id: payer.userId } : { organization_id: payer.organizationId };
}

function toQuota(row: QuotaRow): Quota {
  const { organization_id: organizationId, user_id: userId } = row;
  if (organizationId === null && userId === null) throw new Error(`quota ${row.id} is of nobody`);
  return {
    payer: userId === null ? { organizationId: organizationId ?? 0 } : { userId },
    unitsPerMonth: row.units_per_month,
    updatedAt: row.updated_at,
  };
}
