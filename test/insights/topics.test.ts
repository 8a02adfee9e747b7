import assert from 'node:assert/strict';
import { askTopicAgain } from '../../src/insights/ask-topic-again.js';
import { groupQuestions } from '../../src/insights/group-questions.js';
import { settleTopic } from '../../src/insights/settle-topic.js';
import { getTopic, listTopics } from '../../src/insights/topics.js';
import { deleteConversation } from '../../src/conversations/delete-conversation.js';
import { storeEntry } from '../support/stored-entry.js';
import { storeTalk } from '../support/stored-talk.js';
import {
  addOrganization,
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
      ({ title, questions, people }) => [title, questions.length, people],
    );

  it('group questions of one language with most stems in common, whatever was masked', () => {
    const groups = groupQuestions(
      [
        ['How do I drain the pond in winter?', 'en'],
        ['How do I drain the pond?', 'en'],
        ['Draining a pond', 'en'],
        ['Who feeds the horses?', 'en'],
        ['Is [email] who feeds a horse?', 'en'],
        ['Was kostet der Teich?', 'de'],
        ['Who?', 'en'],
      ].map(([text = '', language]) => ({ text, language: language as 'en' | 'de' })),
    ).map((group) => group.map(({ text }) => text).sort());
    assert.deepEqual(groups.sort(), [
      ['Draining a pond', 'How do I drain the pond in winter?', 'How do I drain the pond?'],
      ['Is [email] who feeds a horse?', 'Who feeds the horses?'],
      ['Was kostet der Teich?'],
      ['Who?'],
    ]);
  });

  it('are listed by how often and by how many people they were asked, in the own organization', async () => {
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

  it('are left out of account with what comes later, and taken back', async () => {
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

  it('are asked again as answers are made, without a conversation, and lose what is answered', async () => {
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

  it('do not answer a visitor’s question by internal knowledge', async () => {
    const { questionId } = await ask('When is the pond drained?');
    await storeEntry(test, acme, {
      ...{ title: 'Draining the pond', content: 'The pond is drained in October.' },
      visibility: 'internal',
    });
    assert.equal((await askTopicAgain(test.app, acme.operator, questionId)).answered, 0);
  });

  it('keep no text longer than its conversation lives', async () => {
    const { questionId, conversationId } = await ask('Who feeds the horses?');
    await settleTopic(test.app, acme.operator, questionId, { leftOut: true });
    await deleteConversation(test.app, acme.operator, conversationId);
    assert.deepEqual(await titles(true), []);
    assert.deepEqual(await test.app.db.read('settled_questions'), []);
    await assert.rejects(getTopic(test.app, acme.operator, questionId), { code: 'not_found' });
  });
});
