import { z } from 'zod';
import { nameActors } from '../../accounts/users/name-actors.js';
import { listAppsPage } from '../../tenancy/manage-apps.js';
import { listQuotas, setOrganizationQuota } from '../../usage/manage-quotas.js';
import { listUsage } from '../../usage/read-usage.js';
import { usageGroups } from '../../usage/usage.js';
import { unitsText } from '../layout/units.js';
import { action, page } from '../page.js';
import { Usage } from './usage-view.js';

const day = z.iso.date().or(z.literal('')).catch('').default('');
/** The most rows of a group: the days of a year. */
const most = { page: 1, limit: 366 };

export const usagePage = page({
  path: '/usage',
  access: 'administer',
  query: z.object({ from: day, to: day }),
  async show(app, { actor, query, say }) {
    // A day before the first one is no span.
    const to = query.to !== '' && query.to < query.from ? query.from : query.to;
    const span = { from: query.from || undefined, to: to || undefined };
    const reports = [];
    for (const group of usageGroups) {
      const report = await listUsage(app, actor, { ...most, ...span, groups: [group] });
      reports.push({ group, report });
    }
    const apps = await listAppsPage(app, actor, { page: 1, limit: 1000 });
    const people = reports.flatMap(({ report }) => report.items.map(({ userId }) => userId));
    const names = await nameActors(
      app,
      actor,
      people.map((id) => `user:${id ?? ''}`),
    );
    const shown = {
      span: query,
      reports,
      names,
      apps: new Map(apps.items.map(({ id, name }) => [id, name])),
      quotas: await listQuotas(app, actor, { page: 1, limit: 100 }),
    };
    return { title: say.usage.title, body: <Usage {...shown} /> };
  },
  actions: {
    setQuota: action({
      form: z.object({ units: unitsText }),
      done: 'saved',
      act: (app, { actor, form }) => setOrganizationQuota(app, actor, form.units),
    }),
  },
});
