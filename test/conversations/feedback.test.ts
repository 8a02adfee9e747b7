import assert from 'node:assert/strict';
import { callApi } from '../support/api-client.js';
import { storeEntry } from '../support/stored-entry.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';

interface FeedbackBody {
  rating: string;
  comment: string | null;
  updated_at: string;
}

describe('Feedback on an answer', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let ada: TestUser;
  let staff: TestUser;
  let stranger: TestUser;
  let conversation: string;
  let answer: number;

  before(async () => {
    clock = createTestClock();
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    const globex = await addOrganization(test, 'Globex');
    ada = await addUser(test, acme, 'user');
    staff = await addUser(test, acme, 'admin');
    stranger = await addUser(test, globex, 'admin');
    await storeEntry(test, acme, { title: 'Pumps', content: 'The pump turns 900 times a minute.' });
  });
  after(() => test.close());

  beforeEach(async () => {
    const { body } = await callApi<{ conversationId: string; messageId: number }>(
      `${test.url}/api/conversations/message`,
      {
        token: ada.token,
        body: {
          message: 'How often does the pump turn?',
          context: { url: 'https://acme.example/', title: '' },
        },
      },
    );
    [conversation, answer] = [body.conversationId, body.messageId];
  });

  const at = (message: number | string = answer, of = conversation) =>
    `${test.url}/api/conversations/${of}/messages/${message}/feedback`;
  const put = <T = FeedbackBody>(body: object, url = at(), token = ada.token) =>
    callApi<T>(url, { method: 'PUT', token, body });
  const remove = (url = at(), token = ada.token) => callApi(url, { method: 'DELETE', token });
  const messages = async (token = ada.token) =>
    (
      await callApi<{ data: { id: number; role: string; feedback: FeedbackBody | null }[] }>(
        `${test.url}/api/conversations/${conversation}/messages`,
        { token },
      )
    ).body.data;
  const shown = async (token = ada.token) =>
    (await messages(token)).find(({ id }) => id === answer)?.feedback;

  it('is stored, shown with the answer, replaced and deleted', async () => {
    assert.equal(await shown(), null);
    const given = await put({ rating: 'down', comment: ' It is 901.\n' });
    assert.equal(given.status, 200);
    const first = { rating: 'down', comment: 'It is 901.', updated_at: clock.now().toISOString() };
    assert.deepEqual(given.body, first);
    assert.deepEqual(await shown(), first);
    assert.deepEqual(await shown(staff.token), first);

    clock.advance(1000);
    // The same again changes nothing.
    assert.deepEqual((await put({ rating: 'down', comment: 'It is 901.' })).body, first);
    const up = { rating: 'up', comment: null, updated_at: clock.now().toISOString() };
    assert.deepEqual((await put({ rating: 'up' })).body, up);
    assert.deepEqual(await shown(), up);

    assert.equal((await remove()).status, 204);
    assert.equal(await shown(), null);
    assert.equal((await remove()).status, 204);
  });

  it('is stored without personal data', async () => {
    const { body } = await put({ rating: 'down', comment: 'Write to ada@private.example' });
    assert.doesNotMatch(JSON.stringify(body), /private\.example/);
    const stored: unknown = await test.app.db.read('message_feedback').select('*');
    assert.doesNotMatch(JSON.stringify(stored), /private\.example/);
  });

  it('is accepted from the asker only', async () => {
    const other = await addUser(test, await addOrganization(test, 'Initech'), 'user');
    for (const { token } of [staff, stranger, other]) {
      for (const { status, body } of [
        await put<{ code: string }>({ rating: 'up' }, at(), token),
        await remove(at(), token),
      ]) {
        assert.deepEqual([status, body.code], [404, 'not_found']);
      }
    }
    assert.equal((await put({ rating: 'up' }, at(), 'no token')).status, 401);
    assert.equal(await shown(), null);
  });

  it('is accepted for an answer of the named conversation only, not for a question', async () => {
    const question = (await messages()).find(({ role }) => role === 'user')?.id ?? 0;
    for (const { status, body } of [
      await put<{ code: string }>({ rating: 'up' }, at(question)),
      await remove(at(question)),
    ]) {
      assert.deepEqual([status, body.code], [422, 'unprocessable']);
    }
    const elsewhere = answer - 2;
    for (const url of [at(elsewhere), at(987_654_321), at(answer, 'x')]) {
      assert.equal((await put({ rating: 'up' }, url)).status, 404, url);
    }
  });

  it('is refused if it is invalid', async () => {
    for (const [body, path] of [
      [{}, 'rating'],
      [{ rating: 'sideways' }, 'rating'],
      [{ rating: 'up', comment: 7 }, 'comment'],
      [{ rating: 'up', comment: 'x'.repeat(2001) }, 'comment'],
      [{ rating: 'up', stars: 5 }, 'stars'],
    ] as const) {
      const reply = await put<{ errors?: { path: string }[] }>(body);
      assert.deepEqual([reply.status, reply.body.errors?.[0]?.path], [400, path]);
    }
    for (const id of ['x', '0', '1.5', '99999999999999999999']) {
      assert.equal((await put({ rating: 'up' }, at(id))).status, 400, id);
    }
  });
});
