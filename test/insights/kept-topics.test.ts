import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deleteUser } from '../../src/accounts/users/manage-users.js';
import { deleteConversation } from '../../src/conversations/delete-conversation.js';
import { formTopics, topicsOf } from '../../src/insights/form-topics.js';
import {
  beginTopics,
  findKeptTopics,
  keepTopics,
} from '../../src/insights/kept-topics.repository.js';
import { storeSettled } from '../../src/insights/settled-questions.repository.js';
import { listTopics } from '../../src/insights/topics.js';
import { storeTalk } from '../support/stored-talk.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import {
  addOrganization,
  insertAccount,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

const dayMs = 86_400_000;
const wordings = [
  'Who feeds the horses?',
  'Who is feeding the horse?',
  'When is the pond drained?',
  'When do you drain the pond in winter?',
  'What does the key cost?',
];

describe('Stored topics', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let clock: TestClock;

  beforeEach(async () => {
    clock = createTestClock();
    test = await openTestApp({}, clock);
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  const organizationId = () => acme.operator.organizationId;
  const since = () =>
    `${new Date(clock.now().getTime() - 90 * dayMs).toISOString().slice(0, 10)}T00:00:00.000Z`;
  const kept = () => findKeptTopics(test.app, organizationId(), since());
  const ask = (question: string, more: { found?: boolean; userId?: number; days?: number } = {}) =>
    storeTalk(test.app, {
      ...{ organizationId: organizationId(), appId: acme.appId, question, found: false, ...more },
      at: new Date(clock.now().getTime() - (more.days ?? 0) * dayMs).toISOString(),
    });

  it('equal topics that are formed again, after any changes', async () => {
    const other = await addOrganization(test, 'Other');
    const everybody: number[] = [];
    for (let at = 0; at < 20; at += 1) {
      const who = { email: `p${at}@acme.example`, role: 'user' as const, displayName: 'P' };
      everybody.push((await insertAccount(test.app, acme.operator, who)).id);
    }
    const change = fc.record({
      what: fc.constantFrom(
        ...['ask', 'ask', 'ask', 'answered', 'others', 'delete', 'settle', 'blank', 'link'],
        ...['deleteUser', 'found', 'deleteMessage', 'time', 'rate', 'channel', 'move'],
      ),
      which: fc.nat(1000),
      word: fc.constantFrom(...wordings),
      days: fc.integer({ min: 0, max: 100 }),
      how: fc.constantFrom('left_out' as const, 'answered' as const, null),
    });
    const { db } = test.app;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 15, maxLength: 30 }), async (changes) => {
        for (const { what, which, word, days, how } of changes) {
          const talks = await db
            .read<{ id: number; role: string; conversation_id: string }>('messages')
            .where({ role: 'user' })
            .select('id', 'conversation_id');
          const talk = talks[which % talks.length];
          const userId = everybody[which % everybody.length];
          const asker = which % 2 === 0 && userId !== undefined ? { userId } : {};
          const message = () => db.write('messages').where({ id: talk?.id ?? 0 });
          const reply = () => db.write('messages').where({ question_id: talk?.id ?? 0 });
          const conversation = () =>
            db.write('conversations').where({ id: talk?.conversation_id ?? '' });
          if (what === 'ask') await ask(word, { days, ...asker });
          else if (what === 'answered') await ask(word, { days, found: true });
          else if (what === 'others')
            await storeTalk(test.app, {
              ...{ organizationId: other.operator.organizationId, question: word, found: false },
              at: clock.now().toISOString(),
            });
          else if (what === 'time') clock.advance(days * 3_600_000);
          else if (what === 'deleteUser' && userId !== undefined && which % 5 === 0) {
            await deleteUser(test.app, acme.operator, userId);
            everybody.splice(everybody.indexOf(userId), 1);
          } else if (talk === undefined) continue;
          else if (what === 'delete') await conversation().delete();
          else if (what === 'settle') await storeSettled(test.app, [talk.id], how);
          else if (what === 'blank') await message().update({ content: word });
          else if (what === 'link')
            await conversation().update({ visitor_id: `visitor-${which % 3}`, user_id: null });
          else if (what === 'found') await reply().update({ found: which % 2 === 0 });
          else if (what === 'deleteMessage') await (which % 2 === 0 ? message() : reply()).delete();
          else if (what === 'channel')
            await conversation().update({ channel: which % 2 === 0 ? 'cli' : 'widget' });
          else if (what === 'move')
            await reply().update({
              created_at: new Date(clock.now().getTime() - days * dayMs).toISOString(),
            });
          const anew = await formTopics(test.app, organizationId(), since());
          assert.deepEqual(await topicsOf(test.app, organizationId()), anew);
          assert.equal(await kept(), JSON.stringify(anew));
        }
      }),
      { numRuns: 15 },
    );
  });

  it('stay stored while other organizations ask, and while questions are answered', async () => {
    const other = await addOrganization(test, 'Other');
    await ask('Who feeds the horses?');
    await topicsOf(test.app, organizationId());
    const before = await kept();
    assert.ok(before !== undefined);
    const answered = await ask('Who feeds the horses?', { found: true });
    await storeTalk(test.app, {
      ...{ organizationId: other.operator.organizationId, question: 'Who?', found: false },
      at: clock.now().toISOString(),
    });
    await deleteConversation(test.app, acme.operator, answered.conversationId);
    assert.equal(await kept(), before);
  });

  it('are not stored if a question arrives while they are formed', async () => {
    const token = await beginTopics(test.app, organizationId(), since());
    await ask('Who feeds the horses?');
    await keepTopics(test.app, organizationId(), token, '{"topics":[],"since":0}');
    assert.equal(await kept(), undefined);
  });

  it('contain no text of the questions', async () => {
    await ask('Who feeds the horses?');
    await topicsOf(test.app, organizationId());
    assert.doesNotMatch((await kept()) ?? 'horses', /horse/);
  });

  it('are marked as growing if the last 30 days have at least three questions and twice as many as before', async () => {
    for (const days of [1, 2, 3, 40]) await ask('Who feeds the horses?', { days });
    for (const days of [1, 2, 40, 70]) await ask('When is the pond drained?', { days });
    const { items } = await listTopics(test.app, acme.operator, { page: 1, limit: 10 });
    assert.deepEqual(
      items.map(({ title, times, lately, before, isGrowing }) => [
        ...[title, times, lately, before, isGrowing],
      ]),
      [
        ['Who feeds the horses?', 4, 3, 1, true],
        ['When is the pond drained?', 4, 2, 1, false],
      ],
    );
  });
});
