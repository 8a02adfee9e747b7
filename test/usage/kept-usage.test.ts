import assert from 'node:assert/strict';
import { readInsights } from '../../src/insights/read-insights.js';
import { listTopics } from '../../src/insights/topics.js';
import { allOf } from '../../src/platform/db/select-page.js';
import { listUsage } from '../../src/usage/read-usage.js';
import { usageGroups } from '../../src/usage/usage.js';
import { createChance } from '../support/chance.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import {
  addOrganization,
  addUser,
  onSqlite,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('Usage with stored counts of past days', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let clock: TestClock;

  beforeEach(async () => {
    clock = createTestClock('2026-11-20T09:30:00.000Z');
    test = await openTestApp({}, clock);
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  const organizationId = () => acme.operator.organizationId;
  const report = (groups = [...usageGroups]) =>
    listUsage(test.app, acme.operator, { ...allOf, groups, from: '2026-11-01' });
  const use = (at: string, more: object = {}) =>
    test.app.db.write('usage_events').insert({
      ...{ organization_id: organizationId(), channel: 'widget', units: 10, created_at: at },
      payer_organization_id: organizationId(),
      ...more,
    });

  it('equals the sum of its events, even if they change after a day was counted', async () => {
    const other = await addOrganization(test, 'Other');
    const chance = createChance(5);
    const pick = <T>(from: readonly T[]) => from[Math.floor(chance() * from.length)] as T;
    const times = ['18T00:00:00.000', '18T23:59:59.999', '19T12:00:00.000', '20T05:10:00.000'];
    const users = [(await addUser(test, acme, 'user')).id, null];
    for (let round = 0; round < 60; round += 1) {
      const at = `2026-11-${pick(times)}Z`;
      const event = test.app.db.write('usage_events').where({ created_at: at });
      const what = pick(['use', 'use', 'use', 'erase', 'change', 'delete', 'wait']);
      const payer = pick([
        { payer_organization_id: organizationId() },
        { payer_organization_id: null, payer_user_id: 7 },
      ]);
      if (what === 'use') {
        const more = { user_id: pick(users), app_id: pick([acme.appId, null]), ...payer };
        await use(at, { ...more, channel: pick(['api', 'widget', 'try']) });
        await use(at, { organization_id: other.operator.organizationId });
      } else if (what === 'erase') await event.update({ user_id: null });
      else if (what === 'change') await event.update({ units: round, messages: 2 });
      else if (what === 'delete') await event.delete();
      else clock.advance(3_600_000);
      const { items, totals } = await report();
      assert.deepEqual(items.map((row) => JSON.stringify(row)).sort(), await recount(), what);
      assert.equal(
        totals.units,
        items.reduce((sum, { units }) => sum + units, 0),
      );
    }
  });

  async function recount(): Promise<string[]> {
    const rows: object[] = await test.app.db
      .read('usage_events')
      .where({ organization_id: organizationId() })
      .groupByRaw('1, 2, 3, 4')
      .select(
        test.app.db.read.raw(
          `substr(created_at, 1, 10) as day, app_id as "appId", channel, user_id as "userId",
           sum(messages) as messages, sum(units) as units,
           sum(case when payer_user_id is null then units else 0 end) as "paidByOrganization",
           sum(case when payer_user_id is null then 0 else units end) as "paidByUsers"`,
        ),
      );
    return rows.map((row) => JSON.stringify(row)).sort();
  }

  it('is counted only once for a past day and a past hour', async () => {
    await use('2026-11-18T10:00:00.000Z');
    await use('2026-11-20T05:00:00.000Z');
    await use('2026-11-20T09:10:00.000Z');
    assert.equal((await report([])).totals.units, 30);
    const kept = test.app.db.write('counted_days').where({ figures: 'usage' });
    for (const row of await kept.clone().select<{ next: string; counts: string }[]>('*')) {
      const counts = row.counts.replace('"units":10', '"units":1000');
      await kept.clone().where({ next: row.next }).update({ counts });
    }
    assert.equal((await report([])).totals.units, 2010, 'stored counts are reused');
  });

  onSqlite(it)(
    'is counted without being stored while the database is read-only, like insights and topics',
    async () => {
      await use('2026-11-18T10:00:00.000Z');
      await test.app.db.write.raw('pragma query_only = on');
      assert.equal((await report([])).totals.units, 10);
      await readInsights(test.app, acme.operator, {});
      await listTopics(test.app, acme.operator, allOf);
      await test.app.db.write.raw('pragma query_only = off');
      assert.deepEqual(await test.app.db.read('counted_days'), []);
      await test.app.db.write.raw('alter table counted_days rename column counts to lost');
      await assert.rejects(report([]), /counts/, 'other errors are not ignored');
    },
  );
});
