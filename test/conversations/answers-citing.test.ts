import assert from 'node:assert/strict';
import { listAnswersCiting } from '../../src/conversations/list-answers-citing.js';
import { deleteConversation } from '../../src/conversations/delete-conversation.js';
import { insertCitations } from '../../src/knowledge/citations.repository.js';
import type { Entry } from '../../src/knowledge/entry.js';
import { listEntries } from '../../src/knowledge/read-entries.js';
import { callApi } from '../support/api-client.js';
import { storeEntry } from '../support/stored-entry.js';
import { storeTalk } from '../support/stored-talk.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';

interface Listed {
  data: { id: number; question: string; conversation_id: string }[];
  pagination: { total: number };
}

describe('The answers that cite an entry', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ada: TestUser;
  let staff: TestUser;
  let pond: Entry;

  beforeEach(async () => {
    test = await serveTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
    ada = await addUser(test, acme, 'user');
    staff = await addUser(test, acme, 'backoffice');
    pond = await storeEntry(test, acme, { title: 'Pond', content: 'The pond is drained in May.' });
  });
  afterEach(() => test.close());

  /** Stores an answer that cites the entry. */
  const cite = async (question: string, more: object = {}, organization = acme) => {
    const { organizationId } = organization.operator;
    const at = '2026-05-01T00:00:00.000Z';
    const talk = await storeTalk(test.app, { organizationId, at, question, ...more });
    await insertCitations(test.app, organizationId, talk.replyId, [pond.uuid, pond.uuid]);
    return talk;
  };
  const listed = ({ token }: TestUser, query = '') =>
    callApi<Listed>(`${test.url}/api/knowledge/${pond.uuid}/answers${query}`, { token });
  const questions = (body: Listed) => body.data.map(({ question }) => question);

  it('are listed newest first, from the first real answer on', async () => {
    const context = { url: `https://${acme.domain}/`, title: 'Pond' };
    const asked = { message: 'When is the pond drained?', context };
    const url = `${test.url}/api/conversations/message`;
    const { body } = await callApi<{ conversationId: string; messageId: number }>(url, {
      ...{ token: ada.token, body: asked },
    });
    await cite('Another?');
    const { data, pagination } = (await listed(staff)).body;
    assert.deepEqual(questions({ data, pagination }), ['Another?', asked.message]);
    assert.equal(pagination.total, 2);
    assert.deepEqual(
      [data[1]?.id, data[1]?.conversation_id],
      [body.messageId, body.conversationId],
    );
    assert.deepEqual(questions((await listed(staff, '?page=2&limit=1')).body), [asked.message]);
  });

  it('are limited to one’s own for a user without the right to read others’, and exclude other organizations', async () => {
    await cite('Mine?', { userId: ada.id });
    await cite('Of a visitor?');
    const other = await addOrganization(test, 'Other');
    await cite('Elsewhere?', {}, other);
    assert.deepEqual(questions((await listed(staff)).body), ['Of a visitor?', 'Mine?']);
    const own = (await listed(ada)).body;
    assert.deepEqual([questions(own), own.pagination.total], [['Mine?'], 1]);
    assert.equal((await listed(await addUser(test, other, 'admin'))).status, 404);
    await test.app.db.write('knowledge_entries').update({ visibility: 'internal' });
    assert.equal((await listed(ada)).status, 404);
  });

  it('are paged by key, so that a new answer repeats none on the next page', async () => {
    for (const number of [1, 2, 3]) await cite(`Question ${number}?`);
    const page = async (before?: number) => {
      const input = { name: pond.uuid, before, page: 1, limit: 2 };
      const { items, total } = await listAnswersCiting(test.app, acme.operator, input);
      return { items, total, last: items.at(-1)?.id };
    };
    const first = await page();
    await cite('Meanwhile?');
    const next = await page(first.last);
    const all = [...first.items, ...next.items].map(({ question }) => question);
    assert.deepEqual(all, ['Question 3?', 'Question 2?', 'Question 1?']);
    assert.deepEqual([first.total, next.total], [3, 4]);
  });

  it('list a used entry once, however many of them cite it', async () => {
    await storeEntry(test, acme, { title: 'Shed', content: 'The shed is locked.' });
    for (const question of ['When?', 'Why?', 'Who?']) await cite(question);
    const second = { used: true, page: 2, limit: 1 };
    assert.deepEqual(await listEntries(test.app, acme.operator, second), { items: [], total: 1 });
  });

  it('decide by the same rule which entries count as used', async () => {
    const shed = await storeEntry(test, acme, { title: 'Shed', content: 'The shed is locked.' });
    const { conversationId } = await cite('When?');
    await cite('Elsewhere?', {}, await addOrganization(test, 'Other'));
    const titles = async (
      used: boolean,
      actor = acme.operator as Parameters<typeof listEntries>[1],
    ) =>
      (await listEntries(test.app, actor, { used, page: 1, limit: 10 })).items.map(
        (one) => one.uuid,
      );
    assert.deepEqual(await titles(true), [pond.uuid]);
    assert.deepEqual(await titles(false), [shed.uuid]);
    const { organizationId } = acme.operator;
    const user = { kind: 'user', organizationId, userId: ada.id, role: 'user' } as const;
    assert.deepEqual([await titles(true, user), await titles(false, user)], [[], []]);
    await deleteConversation(test.app, acme.operator, conversationId);
    assert.deepEqual(await titles(true), []);
    const { body } = await callApi<Listed>(`${test.url}/api/knowledge?used=false`, {
      token: staff.token,
    });
    assert.equal(body.pagination.total, 2);
  });
});
