import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { timesOf, type DaySpan } from '../platform/day-span.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { countDays, type Figures } from '../platform/figures/count-days.js';
import { daysIn, type ZoneDay } from '../platform/time-zone.js';
import { getApp } from '../tenancy/manage-apps.js';
import { monthOf, type UsageChannel } from './payer.js';
import { findQuota } from './quotas.repository.js';
import {
  addUsage,
  noUsage,
  sumBy,
  type UsageGroup,
  type UsageRow,
  type UsageSums,
} from './usage.js';
import { findFirstUse, messagesPaidBy, sumUsageBy, unitsPaidBy } from './usage.repository.js';

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
 * `to`: today. Errors: `not_found` for an app of another organization; `invalid_request` for a last day before the
 * first.
 */
export async function listUsage(app: App, actor: Actor, input: UsageInput): Promise<UsageReport> {
  const { organizationId } = requirePermission(actor, 'administer');
  const { appId, channel, userId, page, limit } = input;
  const groups = [...new Set(input.groups)];
  const today = timestamp(app.clock).slice(0, 10);
  const to = input.to ?? (input.from !== undefined && input.from > today ? input.from : today);
  const from = input.from ?? `${to.slice(0, 8)}01`;
  timesOf({ from, to });
  if (appId !== undefined) await getApp(app, actor, appId);
  const rows: UsageRow[] = [];
  const days = await daysOfUse(app, organizationId, { from, to: to < today ? to : today });
  for await (const { day, counted } of countDays(app, organizationId, days, use)) {
    for (const row of counted) {
      if (appId !== undefined && row.appId !== appId) continue;
      if (channel !== undefined && row.channel !== channel) continue;
      if (userId !== undefined && row.userId !== userId) continue;
      rows.push({ ...row, day: day.day });
    }
  }
  const sums = sumBy(rows, groups);
  const items = sums.slice((page - 1) * limit, page * limit);
  return { items, total: sums.length, from, to, totals: rows.reduce(addUsage, noUsage) };
}

const use: Figures<UsageRow[]> = {
  name: 'usage',
  count: (app, organizationId, times) =>
    sumUsageBy(app, organizationId, times, ['app', 'channel', 'user']),
  until: () => null,
};

/** The days in UTC, beginning with the first one with usage: earlier days need no counting. */
async function daysOfUse(
  app: App,
  organizationId: number,
  { from, to }: { from: string; to: string },
): Promise<ZoneDay[]> {
  const begun = (await findFirstUse(app, organizationId))?.slice(0, 10);
  return begun === undefined ? [] : daysIn('UTC', from < begun ? begun : from, to);
}

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
  const units = await unitsPaidBy(app, payer, start);
  const messages = await messagesPaidBy(app, payer, start);
  return { units, messages, quota: quota?.unitsPerMonth ?? null, resetsAt: next };
}
