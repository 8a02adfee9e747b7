import assert from 'node:assert/strict';
import { storeTalk, type StoredTalk } from '../support/stored-talk.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';

describe('The API for an export of conversations', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let staff: TestUser;

  beforeEach(async () => {
    test = await serveTestApp();
    acme = await addOrganization(test);
    staff = await addUser(test, acme, 'backoffice');
  });
  afterEach(() => test.close());

  const store = (talk: Partial<StoredTalk> = {}) =>
    storeTalk(test.app, {
      ...{ organizationId: acme.operator.organizationId, at: '2026-11-01T10:00:00.000Z', ...talk },
    });
  const post = (query = '', { token } = staff, signal?: AbortSignal) =>
    fetch(`${test.url}/api/conversations/export${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      ...(signal === undefined ? {} : { signal }),
    });
  const recorded = () =>
    test.app.db.read('audit_log').where({ action: 'conversation.export' }) as Promise<
      { actor: string; after: string }[]
    >;

  it('answers with the conversations that fit the filters of the list, and records who asked', async () => {
    const { conversationId: disliked } = await store({ rating: 'down' });
    await store({ rating: 'up' });
    const other = await addOrganization(test, 'Other');
    await store({ organizationId: other.operator.organizationId, rating: 'down' });
    const lines = await post('?rating=down&from=2026-11-01&to=2026-11-02');
    assert.equal(lines.status, 200);
    assert.equal(lines.headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
    assert.match(lines.headers.get('content-disposition') ?? '', /"conversations\.jsonl"/);
    const text = await lines.text();
    const line = JSON.parse(text) as { id: string; messages: { feedback: unknown }[] };
    assert.deepEqual([line.id, line.messages.length], [disliked, 2]);
    const table = await post('?format=csv&app_id=1&found=true');
    assert.equal(table.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(await table.text(), /^conversation_id,channel,/);
    const changes = (await recorded()).map(({ actor, after }) => [
      actor,
      JSON.parse(after) as object,
    ]);
    assert.deepEqual(changes, [
      [
        `user:${staff.id}`,
        { format: 'jsonl', rating: 'down', from: '2026-11-01', to: '2026-11-02' },
      ],
      [`user:${staff.id}`, { format: 'csv', app_id: 1, found: true }],
    ]);
  });

  it('refuses people who may read only their own, filters that it does not know, and days that are turned', async () => {
    const ada = await addUser(test, acme, 'user');
    assert.equal((await post('', ada)).status, 403);
    assert.equal((await post('', { ...ada, token: '' })).status, 401);
    for (const query of ['?format=pdf', '?mood=bad', '?from=2026-11-02&to=2026-11-01'])
      assert.equal((await post(query)).status, 400, query);
    assert.equal((await post('?app_id=99')).status, 404);
    assert.deepEqual(await recorded(), []);
  });

  it('serves a person again who left in the middle', async () => {
    for (let count = 0; count < 300; count += 1)
      await store({ question: 'How long? '.repeat(1000) });
    const leaving = new AbortController();
    const begun = await post('', staff, leaving.signal);
    assert.equal(begun.status, 200);
    assert.equal((await post()).status, 429);
    leaving.abort();
    for (;;) {
      const again = await post('?rating=up');
      await again.text();
      if (again.status === 200) break;
    }
  });
});
