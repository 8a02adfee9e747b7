import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { timesOf, type DaySpan } from '../platform/day-span.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { getApp } from '../tenancy/manage-apps.js';
import { monthOf, type UsageChannel } from './payer.js';
import { findQuota } from './quotas.repository.js';
import type { UsageGroup, UsageRow, UsageSums } from './usage.js';
import { listUsageBy, sumPaidBy, sumUsage } from './usage.repository.js';

export interface UsageInput extends Page, DaySpan {
  appId?: number | undefined;
  channel?: UsageChannel | undefined;
  /** The asker, who may differ from the payer. */
  userId?: number | undefined;
  /** Empty: one row with the total. */
  groups: UsageGroup[];
}

export interface UsageReport extends Paged<UsageRow> {
  from: string;
  to: string;
  /** Over all pages. */
  totals: UsageSums;
}

/**
 * Sums the usage of the organization's people and widgets. Default `from`: the first of the month of `to`. Default
 * `to`: today. Refuses with `not_found` an app of another organization, and with `invalid_request` a last day before
 * the first.
 */
export async function listUsage(app: App, actor: Actor, input: UsageInput): Promise<UsageReport> {
  const { organizationId } = requirePermission(actor, 'administer');
  const { appId, channel, userId } = input;
  const groups = [...new Set(input.groups)];
  const today = timestamp(app.clock).slice(0, 10);
  const to = input.to ?? (input.from !== undefined && input.from > today ? input.from : today);
  const from = input.from ?? `${to.slice(0, 8)}01`;
  const filter = { organizationId, ...timesOf({ from, to }), appId, channel, userId };
  if (appId !== undefined) await getApp(app, actor, appId);
  const { items, total } = await listUsageBy(app, filter, groups, input);
  const isWhole = items.length === total;
  const totals = isWhole ? items.reduce(added, noUsage) : await sumUsage(app, filter);
  if (totals.messages === 0) return { items: [], total: 0, from, to, totals };
  return { items, total, from, to, totals };
}

const noUsage: UsageSums = { messages: 0, units: 0, paidByOrganization: 0, paidByUsers: 0 };
const added = (one: UsageSums, other: UsageSums): UsageSums => ({
  messages: one.messages + other.messages,
  units: one.units + other.units,
  paidByOrganization: one.paidByOrganization + other.paidByOrganization,
  paidByUsers: one.paidByUsers + other.paidByUsers,
});

/** The use of an actor's own credits this month, and their quota. */
export interface OwnUsage {
  units: number;
  messages: number;
  /** Units per month; null for no limit. */
  quota: number | null;
  resetsAt: string;
}

/** The actor's own use of its quota this month, without what its organization pays. */
export async function getOwnUsage(app: App, actor: Actor): Promise<OwnUsage> {
  const member = requirePermission(actor, 'ask');
  const { organizationId } = member;
  const payer = member.kind === 'user' ? { userId: member.userId } : { organizationId };
  const { start, next } = monthOf(app.clock.now());
  const quota = await findQuota(app, payer);
  const paid = await sumPaidBy(app, payer, start);
  return { ...paid, quota: quota?.unitsPerMonth ?? null, resetsAt: next };
}
