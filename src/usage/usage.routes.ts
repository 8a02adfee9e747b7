import { z } from 'zod';
import { daySpanQuery } from '../platform/day-span.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, numberOf, numberText, pagingQuery } from '../platform/http/paging.js';
import { listQuotas, setOrganizationQuota, setUserQuota } from './manage-quotas.js';
import { usageChannels } from './payer.js';
import { getOwnUsage, listUsage } from './read-usage.js';
import { usageGroups, type UsageGroup } from './usage.js';
import {
  ownUsageReply,
  presentOwnUsage,
  presentQuota,
  presentTotals,
  presentUsage,
  quotaReply,
  unitsPerMonth,
  usageRow,
  usageTotals,
} from './usage.schema.js';

const quotaBody = z.strictObject({ units_per_month: unitsPerMonth });
const group = `(${usageGroups.join('|')})`;

export const usageOperations: Operation[] = [
  operation({
    method: 'get',
    path: '/api/admin/usage',
    tag: 'Administration',
    summary: 'The usage of your organization’s people and widgets, and who pays',
    access: 'administer',
    query: z.strictObject({
      ...pagingQuery,
      from: daySpanQuery.from.describe(
        'The first day, YYYY-MM-DD, in UTC. Default: the first of the month of `to`.',
      ),
      to: daySpanQuery.to.describe('The last day, in UTC. Default: today.'),
      app_id: numberText.optional().describe('Only usage on pages of this app.'),
      channel: z.enum(usageChannels).optional().describe('Only usage over this channel.'),
      user_id: numberText.optional().describe('Only questions of this user.'),
      group_by: z
        .string()
        .regex(new RegExp(`^${group}(,${group}){0,3}$`), `allowed are ${usageGroups.join(', ')}`)
        .default('day')
        .describe(`What to sum by: one or several of ${usageGroups.join(', ')}, with commas.`),
    }),
    replies: {
      200: listOf(usageRow).extend({
        totals: usageTotals.describe('Over all pages.'),
        from: z.string().describe('The first day that was looked at.'),
        to: z.string().describe('The last such day.'),
      }),
    },
    refusals: ['not_found'],
    async handle(app, { actor, query }) {
      const groups = query.groupBy.split(',') as UsageGroup[];
      const report = await listUsage(app, actor, { ...query, groups });
      const { body } = listReply(report, query, presentUsage);
      const { totals, from, to } = report;
      return { body: { ...body, totals: presentTotals(totals), from, to } };
    },
  }),
  operation({
    method: 'get',
    path: '/api/admin/quotas',
    tag: 'Administration',
    summary: 'The quotas of your organization and its users, and how much of them is used',
    access: 'administer',
    query: z.strictObject(pagingQuery),
    replies: { 200: listOf(quotaReply) },
    async handle(app, { actor, query }) {
      return listReply(await listQuotas(app, actor, query), query, presentQuota);
    },
  }),
  operation({
    method: 'put',
    path: '/api/admin/quotas/organization',
    tag: 'Administration',
    summary: 'Bound what your organization pays in a month: its widgets and command line',
    access: 'administer',
    body: quotaBody,
    replies: { 200: quotaReply },
    handle: async (app, { actor, body }) => ({
      body: presentQuota(await setOrganizationQuota(app, actor, body.unitsPerMonth)),
    }),
  }),
  operation({
    method: 'put',
    path: '/api/admin/quotas/users/:id',
    tag: 'Administration',
    summary: 'Bound what a user pays in a month: API and extension',
    access: 'administer',
    params: numberOf('user'),
    body: quotaBody,
    replies: { 200: quotaReply },
    async handle(app, { actor, params, body }) {
      const quota = await setUserQuota(app, actor, { userId: params.id, ...body });
      return { body: presentQuota(quota) };
    },
  }),
  operation({
    method: 'get',
    path: '/api/me/usage',
    tag: 'Account',
    summary: 'Your usage this month, and your quota',
    access: 'ask',
    replies: { 200: ownUsageReply },
    handle: async (app, { actor }) => ({ body: presentOwnUsage(await getOwnUsage(app, actor)) }),
  }),
];
