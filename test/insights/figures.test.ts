import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fileRequest } from '../../src/requests/file-request.js';
import { updateRequest } from '../../src/requests/update-request.js';
import { listCounted } from '../../src/insights/list-counted.js';
import { readInsights, type Insights } from '../../src/insights/read-insights.js';
import type { SpanInput } from '../../src/insights/span.js';
import { updateOrganization } from '../../src/tenancy/manage-organization.js';
import { storeTalk, type StoredTalk } from '../support/stored-talk.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

/** From UTC−11 to UTC+14, with changes of the clock by an hour, by half an hour, and at midnight. */
const zones = [
  ...['Pacific/Pago_Pago', 'America/St_Johns', 'America/Santiago', 'UTC', 'Europe/Madrid'],
  ...['Africa/Cairo', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Kiritimati'],
];
/** Around the changes of the clock in these zones in 2026, and the turn of the year. */
const around = [
  '2026-03-29',
  '2026-04-05',
  '2026-04-24',
  '2026-09-06',
  '2026-10-25',
  '2026-11-01',
  '2027-01-01',
];

/** The day on a calendar of the zone, asked of another formatter than the product’s. */
function calendarOf(zone: string): (iso: string) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  return (iso) => format.format(new Date(iso));
}

interface Raw {
  conversation_id: string;
  created_at: string;
  day: string;
  found: number | null;
  unsupported: string;
  language: string;
  app_id: number | null;
  channel: string;
  rating: string | null;
}

describe('The figures', () => {
  let test: TestApp;
  let acme: TestOrganization;

  beforeEach(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  const own = () => ({ organizationId: acme.operator.organizationId, appId: acme.appId });
  const setZone = (timeZone: string) =>
    updateOrganization(test.app, acme.operator, acme.operator.organizationId, { timeZone });

  const recount = async (zone: string, input: SpanInput & { from: string; to: string }) => {
    const rows = await test.app.db
      .read('messages')
      .join('conversations', 'conversations.id', 'messages.conversation_id')
      .leftJoin('message_feedback', 'message_id', 'messages.id')
      .where({ role: 'assistant', organization_id: acme.operator.organizationId })
      .select<Raw[]>('messages.*', 'app_id', 'channel', 'rating');
    const dayOf = calendarOf(zone);
    return rows
      .map((row) => ({ ...row, day: dayOf(row.created_at) }))
      .filter(
        ({ found, channel, day }) =>
          found !== null &&
          channel !== 'cli' &&
          day >= input.from &&
          day <= input.to &&
          (input.channel === undefined || channel === input.channel),
      );
  };
  const count = (rows: Raw[]) => ({
    questions: rows.length,
    answered: rows.filter((row) => row.found === 1).length,
    unsupported: rows.filter((row) => row.unsupported !== '[]').length,
    up: rows.filter((row) => row.rating === 'up').length,
    down: rows.filter((row) => row.rating === 'down').length,
  });
  const replies = ({ questions, answered, unsupported, up, down }: Insights['total']) => {
    return { questions, answered, unsupported, up, down };
  };

  it('equal a recount of the raw rows on the days of any time zone, at every change of the clock', async () => {
    const other = await addOrganization(test, 'Other');
    const talk = fc.record({
      day: fc.constantFrom(...around),
      minute: fc.integer({ min: -30 * 60, max: 30 * 60 }),
      found: fc.constantFrom(true, true, false, null),
      unsupported: fc.boolean(),
      rating: fc.constantFrom('up', 'down', undefined),
      language: fc.constantFrom('en', 'de', 'other'),
      channel: fc.constantFrom('widget', 'api', 'cli'),
      isOurs: fc.boolean(),
      isOfApp: fc.boolean(),
    });
    const made = fc.array(talk, { minLength: 20, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        made,
        fc.constantFrom(undefined, 'widget' as const),
        async (talks, channel) => {
          await test.app.db.write('conversations').delete();
          for (const { day, minute, isOurs, isOfApp, ...rest } of talks) {
            const at = new Date(Date.parse(`${day}T00:00:00.000Z`) + minute * 60_000).toISOString();
            const of: StoredTalk = { ...rest, at, ...own(), ...(isOfApp ? {} : { appId: null }) };
            await storeTalk(test.app, isOurs ? of : { ...of, ...other.operator, appId: null });
          }
          for (const zone of zones) {
            await setZone(zone);
            for (const [from, to] of [
              ['2026-03-28', '2026-04-06'],
              ['2026-09-05', '2027-01-02'],
            ] as const) {
              const input = { from, to, channel };
              const insights = await readInsights(test.app, acme.operator, input);
              const raw = await recount(zone, input);
              assert.deepEqual(replies(insights.total), count(raw), zone);
              assert.equal(insights.timeZone, zone);
              for (const { day, ...figures } of insights.byDay) {
                const ofDay = raw.filter((row) => row.day === day);
                assert.deepEqual(figures, count(ofDay), `${zone} ${day}`);
              }
              for (const { language, ...figures } of insights.byLanguage) {
                assert.deepEqual(figures, count(raw.filter((row) => row.language === language)));
              }
              const ofApp = insights.byApp.find(({ appId }) => appId === acme.appId);
              const rawOfApp = raw.filter((row) => row.app_id === acme.appId);
              assert.equal(ofApp?.questions ?? 0, rawOfApp.length);
              const listed = await listCounted(test.app, acme.operator, {
                ...{ ...input, found: false, withoutCli: true, page: 1, limit: 200 },
              });
              const refused = raw.filter((row) => row.found === 0);
              assert.deepEqual(
                listed.items.map(({ id }) => id).sort(),
                [...new Set(refused.map((row) => row.conversation_id))].sort(),
                `the rows behind a figure in ${zone}`,
              );
            }
          }
        },
      ),
      { numRuns: 2 },
    );
  });

  it('tell how conversations ended, and how long people waited for a person', async () => {
    const at = '2026-11-01T10:00:00.000Z';
    const store = (talk: Partial<StoredTalk>) => storeTalk(test.app, { ...own(), at, ...talk });
    const settled = await store({});
    await store({ found: false });
    const disliked = await store({});
    await store({ conversationId: disliked.conversationId, rating: 'down' });
    const improved = await store({ rating: 'down' });
    await store({ conversationId: improved.conversationId, rating: 'up' });
    const ada = await addUser(test, acme, 'user');
    const asked = await store({ userId: ada.id, found: false });
    const actor = {
      kind: 'user',
      organizationId: own().organizationId,
      userId: ada.id,
      role: 'user',
    } as const;
    const { id } = await fileRequest(test.app, actor, {
      ...{ question: 'How?', conversationId: asked.conversationId },
    });
    await updateRequest(test.app, acme.operator, id, { status: 'resolved', response: 'So.' });
    const waited = {
      created_at: '2026-11-01T10:00:00.000Z',
      resolved_at: '2026-11-01T12:00:00.000Z',
    };
    await test.app.db.write('knowledge_requests').where({ id }).update(waited);
    const input = { from: '2026-10-25', to: '2026-11-05' };
    const { total } = await readInsights(test.app, acme.operator, input);
    const { conversations, handedOver, medianWaitMs } = total;
    assert.deepEqual(
      { conversations, settled: total.settled, handedOver, medianWaitMs },
      {
        ...{ conversations: 5, settled: 2, handedOver: 1, medianWaitMs: 7_200_000 },
      },
    );
    const rows = async (outcome: 'settled' | 'handed') =>
      (await listCounted(test.app, acme.operator, { ...input, outcome, page: 1, limit: 50 })).items
        .map((one) => one.id)
        .sort();
    assert.deepEqual(
      await rows('settled'),
      [settled, improved].map((one) => one.conversationId).sort(),
    );
    assert.deepEqual(await rows('handed'), [asked.conversationId]);
  });

  it('refuse days that are none, too many days, and an app of another organization', async () => {
    const other = await addOrganization(test, 'Other');
    const refused = (input: SpanInput, code: string) =>
      assert.rejects(readInsights(test.app, acme.operator, input), { code });
    await refused({ from: '2026-02-30' }, 'invalid_request');
    await refused({ from: '2026-02-03', to: '2026-02-01' }, 'invalid_request');
    await refused({ from: '2020-01-01', to: '2026-02-01' }, 'invalid_request');
    await refused({ appId: other.appId }, 'not_found');
    await assert.rejects(setZone('Mars/Olympus'), { code: 'invalid_request' });
  });
});
