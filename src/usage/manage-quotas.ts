import { findUserOf, findUsersById, userIdsOf } from '../accounts/users/accounts.repository.js';
import { recordChange } from '../audit/record-change.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import { monthOf, type Payer } from './payer.js';
import { deleteQuota, findQuota, listQuotasOf, storeQuota } from './quotas.repository.js';
import { unitsPaidBy, unitsPaidByEach } from './usage.repository.js';

/** A quota, and its use this month. */
export interface QuotaState {
  /** Null for the organization's own. */
  user: { id: number; email: string } | null;
  /** Null without a quota. */
  unitsPerMonth: number | null;
  unitsUsed: number;
  resetsAt: string;
}

export async function listQuotas(app: App, actor: Actor, page: Page): Promise<Paged<QuotaState>> {
  const { organizationId } = requirePermission(actor, 'administer');
  const { start, next } = monthOf(app.clock.now());
  const users = userIdsOf(app, organizationId);
  const { items, total } = await listQuotasOf(app, organizationId, users, page);
  const ids = items.flatMap(({ payer }) => ('userId' in payer ? [payer.userId] : []));
  const emails = new Map((await findUsersById(app, ids)).map(({ id, email }) => [id, email]));
  const used = await unitsPaidByEach(app, ids, start);
  const own = await unitsPaidBy(app, { organizationId }, start);
  const states = items.map(({ payer, unitsPerMonth }): QuotaState => {
    const common = { unitsPerMonth, resetsAt: next };
    if (!('userId' in payer)) return { ...common, user: null, unitsUsed: own };
    const { userId: id } = payer;
    return { ...common, user: { id, email: emails.get(id) ?? '' }, unitsUsed: used.get(id) ?? 0 };
  });
  return { items: states, total };
}

/** A user's quota and its use. Errors: `not_found` for a foreign user. */
export async function getUserQuota(app: App, actor: Actor, userId: number): Promise<QuotaState> {
  const { organizationId } = requirePermission(actor, 'administer');
  const user = await findUserOf(app, organizationId, userId);
  if (user === undefined) throw new AppError('not_found', `There is no user ${userId}.`);
  const quota = await findQuota(app, { userId });
  const whose = { id: userId, email: user.email };
  return stateOf(app, { userId }, whose, quota?.unitsPerMonth ?? null);
}

/** Sets the organization's own monthly quota, for its widget and CLI; null removes it. */
export async function setOrganizationQuota(
  app: App,
  actor: Actor,
  unitsPerMonth: number | null,
): Promise<QuotaState> {
  const { organizationId } = requirePermission(actor, 'administer');
  return inTransaction(app, async (app) => {
    await change(app, actor, { organizationId }, `organization:${organizationId}`, unitsPerMonth);
    return stateOf(app, { organizationId }, null, unitsPerMonth);
  });
}

/** Sets a user's monthly quota for API and extension; null removes it. Errors: `not_found` for a foreign user. */
export async function setUserQuota(
  app: App,
  actor: Actor,
  input: { userId: number; unitsPerMonth: number | null },
): Promise<QuotaState> {
  const { organizationId } = requirePermission(actor, 'administer');
  const { userId, unitsPerMonth } = input;
  return inTransaction(app, async (app) => {
    const user = await findUserOf(app, organizationId, userId);
    if (user === undefined) throw new AppError('not_found', `There is no user ${userId}.`);
    await change(app, actor, { userId }, `user:${userId}`, unitsPerMonth);
    return stateOf(app, { userId }, { id: userId, email: user.email }, unitsPerMonth);
  });
}

async function change(
  app: App,
  actor: Actor,
  payer: Payer,
  subject: string,
  unitsPerMonth: number | null,
): Promise<void> {
  const { organizationId } = requirePermission(actor, 'administer');
  const before = (await findQuota(app, payer))?.unitsPerMonth ?? null;
  if (before === unitsPerMonth) return;
  if (unitsPerMonth === null) await deleteQuota(app, payer);
  else await storeQuota(app, payer, unitsPerMonth);
  await recordChange(app, actor, {
    organizationId,
    action: unitsPerMonth === null ? 'quota.remove' : 'quota.set',
    subject,
    before: { units_per_month: before },
    after: { units_per_month: unitsPerMonth },
  });
}

async function stateOf(
  app: App,
  payer: Payer,
  user: QuotaState['user'],
  unitsPerMonth: number | null,
): Promise<QuotaState> {
  const { start, next } = monthOf(app.clock.now());
  const unitsUsed = await unitsPaidBy(app, payer, start);
  return { user, unitsPerMonth, unitsUsed, resetsAt: next };
}
