import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deleteConversation } from '../../src/conversations/delete-conversation.js';
import {
  deleteFeedback,
  storeFeedback,
} from '../../src/conversations/store/feedback.repository.js';
import { fileRequest } from '../../src/requests/file-request.js';
import { updateRequest } from '../../src/requests/update-request.js';
import { listCounted } from '../../src/insights/list-counted.js';
import { readInsights } from '../../src/insights/read-insights.js';
import type { SpanInput } from '../../src/conversations/span.js';
import { updateOrganization } from '../../src/tenancy/manage-organization.js';
import { addDays } from '../../src/platform/time-zone.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import { storeTalk, type StoredTalk } from '../support/stored-talk.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

/** Time zones from UTC−11 to UTC+14, with clock changes of an hour, of half an hour, and at midnight. */
const zones = [
  ...['Pacific/Pago_Pago', 'America/St_Johns', 'America/Santiago', 'UTC', 'Europe/Madrid'],
  ...['Africa/Cairo', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Kiritimati'],
];
/** Days of clock changes in these zones in 2026, and the turn of the year. */
const around = [
  '2026-03-29',
  '2026-04-05',
  '2026-04-24',
  '2026-09-06',
  '2026-10-25',
  '2026-11-01',
  '2027-01-01',
];

/** The calendar day in a time zone, by another formatter than the product’s. */
function calendarOf(zone: string): (iso: string) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  return (iso) => format.format(new Date(iso));
}

interface Raw {
  conversation_id: string;
  created_at: string;
  day: string;
  /** A number in SQLite. */
  found: number | boolean | null;
  unsupported: string;
  language: string;
  app_id: number | null;
  channel: string;
  rating: string | null;
  mode: string;
  first_word_ms: number | null;
  total_ms: number | null;
}

/** The time within which this share of the replies ended, cut to its first two digits. */
function ranked(times: (number | null)[], share: number): number | undefined {
  const sorted = times.filter((one) => one !== null).sort((a, b) => a - b);
  const found = sorted[Math.ceil(share * sorted.length) - 1];
  if (found === undefined || found < 100) return found;
  const step = 10 ** (String(found).length - 2);
  return Math.floor(found / step) * step;
}

interface Change {
  what: string;
  which: number;
  hours: number;
  rating: 'up' | 'down';
  found: boolean | null;
}

describe('The figures of questions and answers', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let clock: TestClock;

  beforeEach(async () => {
    clock = createTestClock('2027-01-02T12:00:00.000Z');
    test = await openTestApp({}, clock);
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
      .orderBy('messages.id')
      .select<Raw[]>('messages.*', 'app_id', 'channel', 'rating');
    const dayOf = calendarOf(zone);
    const counted = rows.filter(({ found, channel }) => found !== null && channel !== 'cli');
    const seen = new Set<string>();
    return counted
      .map((row) => {
        const isFirst = !seen.has(row.conversation_id);
        seen.add(row.conversation_id);
        // Small talk is not counted as a question, but can be the last message.
        const own = rows.filter((one) => one.conversation_id === row.conversation_id);
        return {
          ...{ ...row, isFirst, day: dayOf(row.created_at) },
          // No conversation is handed over here, and all but those of the last day have ended.
          settled:
            isFirst &&
            own.some((one) => one.found) &&
            own.at(-1)?.rating !== 'down' &&
            own.every((one) => one.created_at <= '2027-01-01T12:00:00.000Z'),
        };
      })
      .filter(
        ({ channel, day }) =>
          day >= input.from &&
          day <= input.to &&
          (input.channel === undefined || channel === input.channel),
      );
  };
  type Counted = Awaited<ReturnType<typeof recount>>;
  const speed = (times: (number | null)[]) => {
    const replies = times.filter((one) => one !== null).length;
    const known = { replies, median: ranked(times, 0.5), p95: ranked(times, 0.95) };
    return replies === 0 ? undefined : known;
  };
  const count = (rows: Counted) => ({
    questions: rows.length,
    answered: rows.filter((row) => row.found).length,
    unsupported: rows.filter((row) => row.unsupported !== '[]').length,
    up: rows.filter((row) => row.rating === 'up').length,
    down: rows.filter((row) => row.rating === 'down').length,
    conversations: rows.filter((row) => row.isFirst).length,
    settled: rows.filter((row) => row.settled).length,
    handedOver: 0,
    firstWord: speed(rows.map((row) => row.first_word_ms)),
    lastWord: speed(rows.map((row) => row.total_ms)),
  });

  it('equal a recount of the stored messages in any time zone, at every clock change', async () => {
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
      mode: fc.constantFrom('ollama', 'extractive'),
      totalMs: fc.constantFrom(null, 0, 99, 100, 1_049, 12_345, 99_999, 123_456, 5_000_000),
      firstWordMs: fc.constantFrom(null, 7, 999),
      goesOn: fc.boolean(),
    });
    const made = fc.array(talk, { minLength: 20, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        made,
        fc.constantFrom(undefined, 'widget' as const),
        async (talks, channel) => {
          await test.app.db.write('conversations').delete();
          let last: (StoredTalk & { conversationId: string }) | undefined;
          for (const { day, minute, isOurs, isOfApp, goesOn, ...rest } of talks) {
            const at = new Date(Date.parse(`${day}T00:00:00.000Z`) + minute * 60_000).toISOString();
            const of: StoredTalk = { ...rest, at, ...own(), ...(isOfApp ? {} : { appId: null }) };
            if (!isOurs) await storeTalk(test.app, { ...of, ...other.operator, appId: null });
            else if (goesOn && last !== undefined && last.at < at) {
              await storeTalk(test.app, { ...of, conversationId: last.conversationId });
            } else last = { ...of, ...(await storeTalk(test.app, of)) };
          }
          for (const zone of zones) {
            await setZone(zone);
            for (const [from, to] of [
              ['2026-03-28', '2026-04-06'],
              ['2026-04-22', '2026-04-26'],
              ['2026-09-04', '2026-09-08'],
              ['2026-10-23', '2026-11-03'],
              ['2026-12-30', '2027-01-02'],
            ] as const) {
              const input = { from, to, channel };
              const insights = await readInsights(test.app, acme.operator, input);
              const raw = await recount(zone, input);
              const { medianWaitMs, units, ...total } = insights.total;
              assert.deepEqual({ medianWaitMs, units }, { medianWaitMs: undefined, units: 0 });
              assert.deepEqual(total, count(raw), zone);
              const { before } = insights;
              const rawBefore = await recount(zone, { ...input, from: before.from, to: before.to });
              assert.equal(before.to, addDays(from, -1));
              assert.equal(before.total.questions, rawBefore.length);
              assert.deepEqual(before.total.lastWord, count(rawBefore).lastWord);
              assert.equal(insights.timeZone, zone);
              for (const { day, ...figures } of insights.byDay) {
                const ofDay = raw.filter((row) => row.day === day);
                assert.deepEqual(figures, count(ofDay), `${zone} ${day}`);
              }
              for (const { language, ...figures } of insights.byLanguage) {
                assert.deepEqual(figures, count(raw.filter((row) => row.language === language)));
              }
              for (const { mode, ...figures } of insights.byMode) {
                assert.deepEqual(figures, count(raw.filter((row) => row.mode === mode)));
              }
              const ofApp = insights.byApp.find(({ appId }) => appId === acme.appId);
              const rawOfApp = raw.filter((row) => row.app_id === acme.appId);
              assert.equal(ofApp?.questions ?? 0, rawOfApp.length);
              const listed = await listCounted(test.app, acme.operator, {
                ...{ ...input, found: false, withoutCli: true, limit: 200 },
              });
              const refused = raw.filter((row) => !row.found);
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

  it('show how conversations ended, and how long people waited for staff', async () => {
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
      (await listCounted(test.app, acme.operator, { ...input, outcome, limit: 50 })).items
        .map((one) => one.id)
        .sort();
    assert.deepEqual(
      await rows('settled'),
      [settled, improved].map((one) => one.conversationId).sort(),
    );
    assert.deepEqual(await rows('handed'), [asked.conversationId]);
  });

  it('stay right after any change of a conversation whose day was counted', async () => {
    const change: fc.Arbitrary<Change> = fc.record({
      what: fc.constantFrom(
        ...(['talk', 'go on', 'rate', 'unrate', 'ask staff', 'resolve', 'forget request'] as const),
        ...(['delete', 'delete app', 'use', 'wait', 'look'] as const),
      ),
      which: fc.nat(1000),
      hours: fc.integer({ min: 0, max: 60 }),
      rating: fc.constantFrom('up' as const, 'down' as const),
      found: fc.constantFrom(true, true, false, null),
    });
    const { organizationId } = acme.operator;
    const input = { from: '2026-12-25', to: '2027-01-10' };
    const pick = <T>(list: readonly T[], which: number) => list[which % list.length];
    const look = async () => {
      const kept = await readInsights(test.app, acme.operator, input);
      await test.app.db.write('counted_days').delete();
      assert.deepEqual(kept, await readInsights(test.app, acme.operator, input));
    };
    const { db } = test.app;
    const apply = async ({ what, which, hours, rating, found }: Change) => {
      const at = new Date(clock.now().getTime() - hours * 3_600_000).toISOString();
      const now = clock.now().toISOString();
      const conversationId = pick(
        await db.read('conversations').orderBy('id').pluck('id'),
        which,
      ) as string | undefined;
      const replyId = pick(
        await db.read('messages').where({ role: 'assistant' }).pluck('id'),
        which,
      ) as number | undefined;
      const requestId = pick(await db.read('knowledge_requests').pluck('id'), which) as
        | number
        | undefined;
      const talk = {
        organizationId,
        found,
        totalMs: which,
        appId: which % 3 === 0 ? acme.appId : null,
      };
      if (what === 'talk') await storeTalk(test.app, { ...talk, at });
      else if (what === 'wait') clock.advance(hours * 1_800_000);
      else if (what === 'look') await readInsights(test.app, acme.operator, input);
      else if (what === 'use') {
        await db.write('usage_events').insert({
          ...{ organization_id: organizationId, channel: 'widget', units: which, created_at: at },
          payer_organization_id: organizationId,
        });
      } else if (what === 'delete app')
        await db.write('conversations').where({ app_id: acme.appId }).update({ app_id: null });
      else if (requestId !== undefined && what === 'resolve') {
        await db.write('knowledge_requests').where({ id: requestId }).update({ resolved_at: now });
      } else if (requestId !== undefined && what === 'forget request') {
        await db.write('knowledge_requests').where({ id: requestId }).delete();
      } else if (conversationId === undefined || replyId === undefined) return;
      else if (what === 'go on') await storeTalk(test.app, { ...talk, at: now, conversationId });
      else if (what === 'delete') await deleteConversation(test.app, acme.operator, conversationId);
      else if (what === 'unrate') await deleteFeedback(test.app, replyId);
      else if (what === 'rate') await storeFeedback(test.app, replyId, { rating, comment: null });
      else if (what === 'ask staff') {
        await db.write('knowledge_requests').insert({
          ...{ organization_id: organizationId, conversation_id: conversationId, status: 'open' },
          ...{ question: 'How?', created_at: now, updated_at: now },
        });
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 25, maxLength: 40 }), async (changes) => {
        for (const one of changes) {
          await readInsights(test.app, acme.operator, input);
          await apply(one);
        }
        await look();
      }),
      { numRuns: 10 },
    );
  });

  it('are counted once for a past day', async () => {
    const at = '2026-12-30T10:00:00.000Z';
    const { conversationId } = await storeTalk(test.app, { ...own(), at });
    const input = { from: '2026-12-25', to: '2027-01-02' };
    const questions = async () =>
      (await readInsights(test.app, acme.operator, input)).total.questions;
    assert.equal(await questions(), 1);
    const kept = test.app.db.write('counted_days').where('next', '>', at).where('first', '<=', at);
    const [day = { counts: '' }] = await kept.clone().select<{ counts: string }[]>('counts');
    await kept.clone().update({ counts: day.counts.replace('"questions":1', '"questions":7') });
    assert.equal(await questions(), 7, 'the stored counts are used');
    await deleteConversation(test.app, acme.operator, conversationId);
    assert.equal(await questions(), 0);
  });

  it('refuse invalid days, too many days, and an app of another organization', async () => {
    const other = await addOrganization(test, 'Other');
    const refused = (input: SpanInput, code: string) =>
      assert.rejects(readInsights(test.app, acme.operator, input), { code });
    for (const from of ['2026-02-30', '0000-01-01', '1969-12-31', '9999-12-31']) {
      await refused({ from }, 'invalid_request');
    }
    await refused({ to: '0000-01-01' }, 'invalid_request');
    await refused({ from: '2026-02-03', to: '2026-02-01' }, 'invalid_request');
    await refused({ from: '2020-01-01', to: '2026-02-01' }, 'invalid_request');
    await refused({ appId: other.appId }, 'not_found');
    await assert.rejects(setZone('Mars/Olympus'), { code: 'invalid_request' });
  });
});
