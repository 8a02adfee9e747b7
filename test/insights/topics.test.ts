import assert from 'node:assert/strict';
import { askTopicAgain } from '../../src/insights/ask-topic-again.js';
import { groupQuestions } from '../../src/insights/group-questions.js';
import { settleTopic } from '../../src/insights/settle-topic.js';
import { getTopic, listTopics } from '../../src/insights/topics.js';
import { deleteConversation } from '../../src/conversations/delete-conversation.js';
import { createConcurrencyLimit } from '../../src/platform/concurrency-limit.js';
import { codeOf } from '../../src/platform/errors.js';
import { processorTime } from '../support/assert-linear.js';
import { createChance } from '../support/chance.js';
import { storeEntry } from '../support/stored-entry.js';
import { storeTalk } from '../support/stored-talk.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

const all = { page: 1, limit: 50 };

describe('Topics without an answer', () => {
  let test: TestApp;
  let acme: TestOrganization;

  beforeEach(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  const ask = (question: string, visitorId?: string, of = acme) =>
    storeTalk(test.app, {
      ...{ organizationId: of.operator.organizationId, appId: of.appId, question, found: false },
      ...{ at: new Date().toISOString(), pageUrl: `https://${of.domain}/` },
      ...(visitorId === undefined ? {} : { visitorId }),
    });
  const titles = async (leftOut = false) =>
    (await listTopics(test.app, acme.operator, { ...all, leftOut })).items.map(
      ({ title, times, people }) => [title, times, people],
    );

  it('group questions of one language that share most stems, without masked words', async () => {
    const grouped = await groupQuestions(
      [
        ['How do I drain the pond in winter?', 'en'],
        ['How do I drain the pond?', 'en'],
        ['Draining a pond', 'en'],
        ['Who feeds the horses?', 'en'],
        ['Is [email] who feeds a horse?', 'en'],
        ['Was kostet der Teich?', 'de'],
        ['Who?', 'en'],
      ].map(([text = '', language]) => ({ text, language: language as 'en' | 'de' })),
    );
    const groups = grouped.map((group) => group.map(({ text }) => text).sort());
    assert.deepEqual(groups.sort(), [
      ['Draining a pond', 'How do I drain the pond in winter?', 'How do I drain the pond?'],
      ['Is [email] who feeds a horse?', 'Who feeds the horses?'],
      ['Was kostet der Teich?'],
      ['Who?'],
    ]);
  });

  it('take time in proportion to the number of questions, and let other work run', async () => {
    const chance = createChance(7);
    // The questions share many words, but no two of them belong to one topic.
    const wordings = (size: number) =>
      Array.from({ length: size }, () => ({
        text: Array.from({ length: 60 }, () => `w${Math.floor(chance() * 300)}x`).join(' '),
        language: 'en' as const,
      }));
    const measured = async (size: number) => {
      const questions = wordings(size);
      const began = processorTime();
      await groupQuestions(questions);
      return processorTime() - began;
    };
    await measured(100);
    const few = Math.max(await measured(250), 3);
    let turns = 0;
    const count = () => {
      turns++;
      turn = setImmediate(count);
    };
    let turn = setImmediate(count);
    const many = await measured(2000).finally(() => clearImmediate(turn));
    assert.ok(many < 30 * few, `${many} ms for 2000, ${few} ms for 250`);
    assert.ok(turns > 1);
  });

  it('are asked again within the person’s limit of simultaneous answers', async () => {
    const limited = { ...test.app, answersUnderWay: createConcurrencyLimit(1) };
    const { questionId } = await ask('Who feeds the horses?');
    const { id: userId } = await addUser(test, acme, 'backoffice');
    const { organizationId } = acme.operator;
    const staff = { kind: 'user', organizationId, userId, role: 'backoffice' } as const;
    const [one, other] = await Promise.allSettled([
      askTopicAgain(limited, staff, questionId),
      askTopicAgain(limited, staff, questionId),
    ]);
    assert.equal(one.status, 'fulfilled');
    assert.equal(other.status === 'rejected' && codeOf(other.reason), 'rate_limited');
    assert.equal((await askTopicAgain(limited, staff, questionId)).asked, 1);
  });

  it('stop being asked again when the person leaves', async () => {
    const { questionId } = await ask('Who feeds the horses?');
    const gone = AbortSignal.abort(new Error('the client has gone away'));
    const again = askTopicAgain(test.app, acme.operator, questionId, gone);
    await assert.rejects(again, /gone away/);
  });

  it('are asked again with the whole text of a long question', async () => {
    const { questionId } = await ask(`${'Well, '.repeat(100)}when is the pond drained?`);
    await storeEntry(test, acme, {
      ...{ title: 'Draining the pond', content: 'The pond is drained in October.' },
    });
    const { title } = await getTopic(test.app, acme.operator, questionId);
    assert.equal(title.length, 500);
    assert.equal((await askTopicAgain(test.app, acme.operator, questionId)).answered, 1);
  });

  it('are listed with the number of questions and people, for one’s own organization only', async () => {
    const other = await addOrganization(test, 'Other');
    await ask('Who feeds the horses?');
    await ask('When is the pond drained?', 'ada');
    await ask('When do you drain the pond?', 'ada');
    const { questionId } = await ask('When is the pond of others drained?', 'ada', other);
    assert.deepEqual(
      (await titles()).map(([, times, people]) => [times, people]),
      [
        [2, 1],
        [1, 1],
      ],
    );
    await assert.rejects(getTopic(test.app, acme.operator, questionId), { code: 'not_found' });
    const settled = settleTopic(test.app, acme.operator, questionId, { leftOut: true });
    await assert.rejects(settled, { code: 'not_found' });
  });

  it('can be ignored with their later questions, and restored', async () => {
    const { questionId } = await ask('Who feeds the horses?');
    await settleTopic(test.app, acme.operator, questionId, { leftOut: true });
    await ask('Who feeds the horses?');
    assert.deepEqual(await titles(), []);
    assert.deepEqual(await titles(true), [['Who feeds the horses?', 2, 2]]);
    await settleTopic(test.app, acme.operator, questionId, { leftOut: false });
    assert.deepEqual(await titles(), [['Who feeds the horses?', 2, 2]]);
    const recorded = await test.app.db.read('audit_log').where({ action: 'topic.settle' });
    assert.equal(recorded.length, 2);
    assert.doesNotMatch(JSON.stringify(recorded), /horses/);
  });

  it('are asked again without storing a conversation, and lose the answered questions', async () => {
    await ask('When is the pond drained?');
    await ask('When is the pond drained?');
    const { questionId } = await ask('When is the pond drained by Beelzebub?');
    assert.equal((await askTopicAgain(test.app, acme.operator, questionId)).answered, 0);
    await storeEntry(test, acme, {
      ...{ title: 'Draining the pond', content: 'The pond is drained in October.' },
    });
    const before = await test.app.db.read('messages').count({ count: '*' });
    const { asked, answered, open } = await askTopicAgain(test.app, acme.operator, questionId);
    assert.equal(asked, 3);
    assert.ok(answered >= 2, `${answered} are answered`);
    assert.equal(open.length, asked - answered);
    assert.deepEqual(await test.app.db.read('messages').count({ count: '*' }), before);
    assert.equal((await titles()).length, open.length);
  });

  it('do not count a visitor’s question as answered by internal knowledge', async () => {
    const { questionId } = await ask('When is the pond drained?');
    await storeEntry(test, acme, {
      ...{ title: 'Draining the pond', content: 'The pond is drained in October.' },
      visibility: 'internal',
    });
    assert.equal((await askTopicAgain(test.app, acme.operator, questionId)).answered, 0);
  });

  it('keep no text of a deleted conversation', async () => {
    const { questionId, conversationId } = await ask('Who feeds the horses?');
    await settleTopic(test.app, acme.operator, questionId, { leftOut: true });
    await deleteConversation(test.app, acme.operator, conversationId);
    assert.deepEqual(await titles(true), []);
    assert.deepEqual(await test.app.db.read('settled_questions'), []);
    await assert.rejects(getTopic(test.app, acme.operator, questionId), { code: 'not_found' });
  });
});
