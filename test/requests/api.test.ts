import assert from 'node:assert/strict';
import { callApi, type CallOptions } from '../support/api-client.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';

interface RequestBody {
  id: number;
  status: string;
  question: string;
  url: string | null;
  app_id: number | null;
  conversation_id: string | null;
  requester: { kind: string; id: number; name: string } | null;
  response: string | null;
  knowledge_entry_id: string | null;
  resolved_by: string | null;
  resolved_at: string | null;
}

interface NotificationBody {
  id: number;
  kind: string;
  request_id: number;
  question: string;
  response: string;
  entry_id: string | null;
  read_at: string | null;
}

interface ListBody<T> {
  data: T[];
  pagination: { total: number; page: number; limit: number };
}

describe('Knowledge requests', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let globex: TestOrganization;
  let staff: TestUser;
  let ada: TestUser;
  let stranger: TestUser;

  beforeEach(async () => {
    clock = createTestClock();
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    globex = await addOrganization(test, 'Globex');
    staff = await addUser(test, acme, 'backoffice');
    ada = await addUser(test, acme, 'user');
    stranger = await addUser(test, globex, 'admin');
  });
  afterEach(() => test.close());

  const call = <T = RequestBody>(path: string, options: CallOptions = {}) =>
    callApi<T>(`${test.url}/api${path}`, { token: ada.token, ...options });
  const file = async (fields: Record<string, unknown> = {}) => {
    const body = { question: 'Where is the pump?', ...fields };
    const reply = await call('/knowledge/requests', { body });
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    return reply.body;
  };
  const update = (id: number, body: unknown, token = staff.token) =>
    call(`/knowledge/requests/${id}`, { method: 'PUT', body, token });
  const notifications = async (query = '', token = ada.token) =>
    (await call<ListBody<NotificationBody>>(`/notifications${query}`, { token })).body;
  const problem = (reply: { status: number; body: unknown }) => [
    reply.status,
    (reply.body as { errors?: { path: string }[] }).errors?.[0]?.path,
  ];

  it('can be filed by a user for the app of the page, with personal data masked', async () => {
    const reply = await call('/knowledge/requests', {
      body: {
        question: ' Where is the pump of ada@example.org? ',
        url: `https://bob:pw@${acme.domain}/pumps?mail=ada%40example.org`,
      },
    });
    assert.equal(reply.status, 201);
    assert.equal(reply.headers.get('location'), `/api/knowledge/requests/${reply.body.id}`);
    const { id, ...rest } = reply.body;
    assert.doesNotMatch(rest.question, /ada@example/);
    assert.match(rest.question, /^Where is the pump of/);
    const now = clock.now().toISOString();
    assert.deepEqual(
      { ...rest, question: '' },
      {
        status: 'open',
        question: '',
        url: `https://${acme.domain}/pumps?mail=[email]`,
        app_id: acme.appId,
        conversation_id: null,
        requester: { kind: 'user', id: ada.id, name: 'user-1' },
        requester_email: null,
        response: null,
        knowledge_entry_id: null,
        resolved_by: null,
        resolved_at: null,
        created_at: now,
        updated_at: now,
      },
    );
    assert.deepEqual((await call(`/knowledge/requests/${id}`)).body, reply.body);
    assert.equal(
      (await call('/knowledge/requests', { token: '', body: { question: 'x' } })).status,
      401,
    );
  });

  it('can refer to a conversation of one’s own, but not to one of another person', async () => {
    const context = { url: `https://${acme.domain}/`, title: '' };
    const body = { message: 'Where is the pump?', context };
    const asked = await call<{ conversationId: string; canRequest: boolean }>(
      '/conversations/message',
      { body },
    );
    assert.equal(asked.body.canRequest, true);
    const conversation_id = asked.body.conversationId;
    const filed = await file({ conversation_id });
    assert.deepEqual([filed.conversation_id, filed.app_id], [conversation_id, acme.appId]);
    const others = { body: { question: 'x', conversation_id }, token: staff.token };
    assert.equal((await call('/knowledge/requests', others)).status, 404);
  });

  it('are refused with the name of the invalid field', async () => {
    for (const [body, status, path] of [
      [{}, 400, 'question'],
      [{ question: ' ' }, 400, 'question'],
      [{ question: 'x'.repeat(8001) }, 400, 'question'],
      [{ question: 'x', url: 'nowhere' }, 400, 'url'],
      [{ question: 'x', colour: 'red' }, 400, 'colour'],
      [{ question: 'x', app_id: globex.appId }, 404, undefined],
    ] as const) {
      assert.deepEqual(problem(await call('/knowledge/requests', { body })), [status, path]);
    }
  });

  it('are listed for staff of the organization; users see only their own, other organizations none', async () => {
    const first = await file({ url: `https://${acme.domain}/a` });
    const second = (
      await call('/knowledge/requests', {
        body: { question: 'Of 100% cotton?' },
        token: staff.token,
      })
    ).body;
    const list = async (query: string, token: string) => {
      const reply = await call<ListBody<RequestBody>>(`/knowledge/requests${query}`, { token });
      assert.equal(reply.body.pagination.total, reply.body.data.length);
      return reply.body.data.map(({ id }) => id);
    };
    assert.deepEqual(await list('', staff.token), [second.id, first.id]);
    assert.deepEqual(await list('', ada.token), [first.id]);
    assert.deepEqual(await list('', stranger.token), []);
    await update(first.id, { status: 'in_progress' });
    assert.deepEqual(await list('?status=in_progress', staff.token), [first.id]);
    assert.deepEqual(await list(`?app_id=${acme.appId}`, staff.token), [first.id]);
    assert.deepEqual(await list('?q=0%25', staff.token), [second.id]);
    assert.deepEqual(await list('?q=PUMP', staff.token), [first.id]);
    assert.deepEqual(await list('?q=_', staff.token), []);
    assert.equal((await call(`/knowledge/requests/${second.id}`)).status, 404);
    assert.equal(
      (await call(`/knowledge/requests/${first.id}`, { token: stranger.token })).status,
      404,
    );
    assert.equal((await update(first.id, { status: 'dismissed' }, stranger.token)).status, 404);
    assert.equal((await update(first.id, { status: 'dismissed' }, ada.token)).status, 403);
  });

  it('notify the requester once about each answer', async () => {
    const { id } = await file();
    const reply = await update(id, { status: 'resolved', response: ' In the cellar. ' });
    assert.equal(reply.status, 200);
    assert.deepEqual(
      [reply.body.status, reply.body.response, reply.body.resolved_by, reply.body.resolved_at],
      ['resolved', 'In the cellar.', `user:${staff.id}`, clock.now().toISOString()],
    );
    const [notification] = (await notifications()).data;
    assert.deepEqual(
      [
        notification?.kind,
        notification?.request_id,
        notification?.question,
        notification?.response,
      ],
      ['request_resolved', id, 'Where is the pump?', 'In the cellar.'],
    );
    // A client that repeats its request after a lost answer must not notify anybody twice.
    const repeated = await update(id, { status: 'resolved', response: 'In the cellar.' });
    assert.deepEqual(repeated.body, reply.body);
    assert.equal((await notifications()).pagination.total, 1);
    await update(id, { response: 'In the attic.' });
    const all = await notifications();
    assert.deepEqual(
      all.data.map(({ response }) => response),
      ['In the attic.', 'In the cellar.'],
    );
    assert.deepEqual((await notifications('', staff.token)).data, []);
    assert.deepEqual((await notifications('', stranger.token)).data, []);
  });

  it('notify once if they are resolved twice at the same time with the same answer', async () => {
    const { id } = await file();
    const both = await Promise.all(
      [1, 2].map(() => update(id, { status: 'resolved', response: 'In the cellar.' })),
    );
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    );
    assert.equal((await notifications()).pagination.total, 1);
  });

  it('can be resolved only with an answer, and dismissed only while unresolved', async () => {
    const { id } = await file();
    for (const body of [{ status: 'resolved' }, { status: 'resolved', response: ' ' }]) {
      assert.deepEqual(problem(await update(id, body)), [422, 'response']);
    }
    assert.equal((await update(id, { status: 'closed' })).status, 400);
    assert.equal((await update(id, { status: 'dismissed' })).body.status, 'dismissed');
    assert.equal((await update(id, { status: 'open' })).body.status, 'open');
    await update(id, { status: 'resolved', response: 'x' });
    assert.equal((await update(id, { status: 'dismissed' })).status, 409);
    assert.equal((await update(id, { status: 'in_progress' })).body.status, 'in_progress');
    assert.equal((await update(id, { status: 'dismissed' })).status, 200);
    assert.equal((await notifications()).pagination.total, 1);
  });

  it('show the draft of an answer only to staff until they are resolved', async () => {
    const { id } = await file();
    assert.equal(
      (await update(id, { response: 'Perhaps there.' })).body.response,
      'Perhaps there.',
    );
    assert.equal((await call(`/knowledge/requests/${id}`)).body.response, null);
    assert.equal((await update(id, { status: 'resolved' })).body.response, 'Perhaps there.');
    assert.equal((await call(`/knowledge/requests/${id}`)).body.response, 'Perhaps there.');
  });

  it('can become published knowledge with their answer', async () => {
    const { id } = await file({ url: `https://${acme.domain}/pumps?x=1` });
    const body = { status: 'resolved', response: 'In the cellar.', publish: true };
    const { knowledge_entry_id } = (await update(id, { ...body, url_pattern: '/pumps' })).body;
    const entry = await call<Record<string, unknown>>(`/knowledge/${knowledge_entry_id ?? ''}`);
    const { title, content, domain, url_pattern, status } = entry.body;
    assert.deepEqual(
      [title, content, domain, url_pattern, status],
      ['Where is the pump?', 'In the cellar.', acme.domain, '/pumps', 'published'],
    );
    assert.equal((await notifications()).data[0]?.entry_id, knowledge_entry_id);
    await update(id, { ...body, url_pattern: '/pumps' });
    const entries = await call<ListBody<unknown>>('/knowledge');
    assert.deepEqual(
      [entries.body.pagination.total, (await notifications()).pagination.total],
      [1, 1],
    );
  });

  it('do not show the requester an entry that only staff may see', async () => {
    const { id } = await file({ url: `https://${acme.domain}/pumps` });
    const body = { status: 'resolved', response: 'In the cellar.', publish: true };
    const resolved = await update(id, { ...body, visibility: 'internal' });
    assert.match(resolved.body.knowledge_entry_id ?? '', /^[0-9a-f-]{36}$/);
    assert.equal((await call(`/knowledge/requests/${id}`)).body.knowledge_entry_id, null);
    assert.equal((await notifications()).data[0]?.entry_id, null);
  });

  it('store nothing of a resolution whose entry can’t be published', async () => {
    const { id } = await file();
    const body = { status: 'resolved', response: 'In the cellar.', publish: true };
    assert.deepEqual(problem(await update(id, body)), [422, 'domain']);
    assert.equal((await update(id, { ...body, domain: globex.domain })).status, 409);
    assert.equal((await update(id, { ...body, domain: 'not a host' })).status, 400);
    assert.deepEqual(problem(await update(id, { publish: true })), [422, 'publish']);
    assert.deepEqual(problem(await update(id, { ...body, publish: false, title: 'x' })), [
      422,
      'title',
    ]);
    const request = (await call(`/knowledge/requests/${id}`)).body;
    assert.deepEqual([request.status, request.response], ['open', null]);
    assert.equal((await notifications()).pagination.total, 0);
  });

  it('have an audit record of each change with its author', async () => {
    const { id } = await file();
    await update(id, { status: 'in_progress' });
    await update(id, { status: 'resolved', response: 'x' });
    const rows: { actor: string; action: string }[] = await test.app.db
      .read('audit_log')
      .where({ subject: `request:${id}` })
      .orderBy('id')
      .select('actor', 'action');
    assert.deepEqual(
      rows.map(({ actor, action }) => [actor, action]),
      [
        [`user:${staff.id}`, 'request.update'],
        [`user:${staff.id}`, 'request.resolve'],
      ],
    );
  });

  describe('Notifications', () => {
    it('are marked as read once, and only by their recipient', async () => {
      const { id } = await file();
      await update(id, { status: 'resolved', response: 'x' });
      const [unread] = (await notifications('?unread=true')).data;
      const read = (token: string) =>
        call<NotificationBody>(`/notifications/${unread?.id ?? 0}/read`, { method: 'POST', token });
      assert.equal((await read(staff.token)).status, 404);
      assert.equal((await read(stranger.token)).status, 404);
      const at = clock.now().toISOString();
      assert.equal((await read(ada.token)).body.read_at, at);
      clock.advance(1000);
      assert.equal((await read(ada.token)).body.read_at, at);
      assert.deepEqual((await notifications('?unread=true')).data, []);
      assert.equal((await notifications('?unread=false')).pagination.total, 1);
      assert.equal((await call('/notifications?unread=perhaps')).status, 400);
    });
  });
});
