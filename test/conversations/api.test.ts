import assert from 'node:assert/strict';
import { callApi, type CallOptions } from '../support/api-client.js';
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

interface MessageBody {
  response: string;
  conversationId: string;
  messageId: number;
  sources: {
    type: string;
    number: number;
    title: string;
    url_pattern: string;
    pages?: object;
    document?: string;
  }[];
  found: boolean;
  mode: string;
  language: string;
}
interface ListBody<T> {
  data: T[];
  pagination: { total: number; page: number; limit: number };
}
interface ConversationItem {
  id: string;
  title: string;
  user_id: number;
  app_id: number | null;
}
interface MessageItem {
  role: string;
  content: string;
  found: boolean | null;
  sources: { title: string }[];
}

describe('Conversations over the API', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let globex: TestOrganization;
  let ada: TestUser;
  let staff: TestUser;
  let stranger: TestUser;

  before(async () => {
    clock = createTestClock();
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    globex = await addOrganization(test, 'Globex');
    ada = await addUser(test, acme, 'user');
    staff = await addUser(test, acme, 'backoffice');
    stranger = await addUser(test, globex, 'admin');
    const store = (title: string, content: string, fields = {}) =>
      storeEntry(test, acme, { title, content, ...fields });
    const rotors = 'The rotor of the pump turns 900 times a minute.';
    const place = { document: 'domain:acme.example/pump-manual.pdf', pageFrom: 7, pageTo: 8 };
    await store('Rotors', rotors, { urlPattern: '/pumps/:id', ...place });
    await store('Rotor secrets', 'The rotor of the pump was stolen by Hugo.', {
      visibility: 'internal',
    });
    await storeEntry(test, globex, {
      title: 'Globex rotors',
      content: 'The rotor of the pump of Globex is made of glass.',
      visibility: 'authenticated',
    });
    await storeEntry(test, globex, {
      title: 'Globex colours',
      content: 'The housing of the pump is painted turquoise.',
    });
  });
  beforeEach(() => clock.advance(1000));
  after(() => test.close());

  const question = 'How fast does the rotor of the pump turn?';
  const context = { url: 'https://acme.example/pumps/4', title: 'Pump 4' };
  const send = (body: object, options: CallOptions = { token: ada.token }) =>
    callApi<MessageBody>(`${test.url}/api/conversations/message`, {
      ...options,
      body: { message: question, context, ...body },
    });
  const list = async <T>(path: string, token = ada.token) =>
    (await callApi<ListBody<T>>(`${test.url}/api/conversations${path}`, { token })).body;
  const codeAt = async (path: string, token: string) =>
    (await callApi(`${test.url}/api/conversations${path}`, { token })).body.code;

  it('answer a message with its sources, and store both', async () => {
    const { status, body } = await send({});
    assert.equal(status, 200);
    assert.match(body.response, /900 times a minute\. \[1\]/);
    assert.match(body.conversationId, /^[0-9a-f-]{36}$/);
    assert.deepEqual([body.found, body.mode, body.language], [true, 'extractive', 'en']);
    const [source] = body.sources;
    assert.deepEqual(
      {
        type: source?.type,
        title: source?.title,
        pattern: source?.url_pattern,
        pages: source?.pages,
        document: source?.document,
      },
      {
        ...{ type: 'knowledge', title: 'Rotors', pattern: '/pumps/:id' },
        ...{ pages: { from: 7, to: 8 }, document: 'pump-manual.pdf' },
      },
    );

    const kept = await list<MessageItem>(`/${body.conversationId}/messages`);
    assert.deepEqual(
      kept.data.map(({ role, content, found }) => [role, content, found]),
      [
        ['user', question, null],
        ['assistant', body.response, true],
      ],
    );
    assert.deepEqual(kept.data[1]?.sources, body.sources);
    const { data } = await list<ConversationItem>('');
    assert.deepEqual(
      [data[0]?.id, data[0]?.title, data[0]?.user_id, data[0]?.app_id],
      [body.conversationId, question, ada.id, acme.appId],
    );
  });

  it('continue under a given id, with one history', async () => {
    const { conversationId } = (await send({})).body;
    clock.advance(1000);
    const next = await send({ conversationId, message: 'And who painted the Mona Lisa?' });
    assert.equal(next.body.conversationId, conversationId);
    assert.deepEqual([next.body.found, next.body.sources], [false, []]);
    const { data, pagination } = await list<MessageItem>(`/${conversationId}/messages`);
    assert.deepEqual(
      data.map(({ role }) => role),
      ['user', 'assistant', 'user', 'assistant'],
    );
    assert.equal(pagination.total, 4);
    const second = await list<MessageItem>(`/${conversationId}/messages?page=2&limit=3`);
    assert.deepEqual(second.pagination, { total: 4, page: 2, limit: 3 });
    assert.deepEqual(second.data, data.slice(3));
  });

  it('are listed with the most recently written first', async () => {
    const first = (await send({})).body.conversationId;
    clock.advance(1000);
    const second = (await send({})).body.conversationId;
    const order = async () =>
      (await list<ConversationItem>('?limit=2')).data.map((conversation) => conversation.id);
    assert.deepEqual(await order(), [second, first]);
    clock.advance(1000);
    await send({ conversationId: first });
    assert.deepEqual(await order(), [first, second]);
  });

  it('refuse messages of everybody but their owner, including staff, and store nothing of the attempt', async () => {
    const { conversationId } = (await send({})).body;
    const messages = async () => (await test.app.db.read('messages').count({ n: '*' })) as unknown;
    const before = await messages();
    for (const { token } of [staff, stranger]) {
      const { status } = await send({ conversationId }, { token });
      assert.equal(status, 404);
    }
    assert.equal((await send({ conversationId: 'x' })).status, 404);
    assert.deepEqual(await messages(), before);
  });

  it('can be read by their owner and by staff of the organization only', async () => {
    const { conversationId } = (await send({})).body;
    const own = (await send({}, { token: staff.token })).body.conversationId;
    const path = `/${conversationId}/messages`;
    assert.equal((await list<MessageItem>(path, staff.token)).data.length, 2);
    assert.equal(await codeAt(path, stranger.token), 'not_found');
    assert.equal(await codeAt(`/${own}/messages`, ada.token), 'not_found');
    assert.equal(await codeAt('/x/messages', staff.token), 'not_found');

    const idsFor = async (token: string) =>
      (await list<ConversationItem>('?limit=100', token)).data.map(({ id }) => id);
    const adas = await idsFor(ada.token);
    assert.ok(adas.includes(conversationId) && !adas.includes(own));
    const all = await idsFor(staff.token);
    assert.ok(all.includes(conversationId) && all.includes(own));
    assert.deepEqual(await list('', stranger.token), {
      data: [],
      pagination: { total: 0, page: 1, limit: 20 },
    });
  });

  it('require a user: an anonymous call is refused', async () => {
    const anonymous = await send({}, {});
    assert.deepEqual(
      [anonymous.status, (anonymous.body as object as { code: string }).code],
      [401, 'unauthenticated'],
    );
    assert.equal((await callApi(`${test.url}/api/conversations`)).status, 401);
  });

  it('use only knowledge that the asker may see on that page', async () => {
    const who = { message: 'Who stole the rotor of the pump?' };
    assert.doesNotMatch((await send(who)).body.response, /Hugo/);
    assert.match((await send(who, { token: staff.token })).body.response, /Hugo/);

    const foreign = { url: 'https://globex.example/', title: 'Globex' };
    const glass = { message: 'What is the rotor of the pump of Globex made of?', context: foreign };
    assert.doesNotMatch((await send(glass, { token: staff.token })).body.response, /glass/);
    assert.match((await send(glass, { token: stranger.token })).body.response, /glass/);
    const colour = { message: 'What colour is the housing of the pump painted?', context: foreign };
    assert.match((await send(colour)).body.response, /turquoise/);
    assert.doesNotMatch((await send({ message: colour.message })).body.response, /turquoise/);
  });

  it('answer from the whole organization on a page of an unregistered domain', async () => {
    const nowhere = { url: 'https://intranet.local/x', title: '' };
    assert.match((await send({ context: nowhere })).body.response, /900/);
  });

  it('are paid by the user, with one usage event per answered message', async () => {
    const usage = () => test.app.db.read('usage_events').orderBy('id').select('*');
    const before = ((await usage()) as unknown[]).length;
    const { messageId } = (await send({})).body;
    await send({ message: 'Who painted the Mona Lisa?' });
    await send({ message: '' });
    const events = (await usage()) as Record<string, unknown>[];
    assert.equal(events.length, before + 2);
    const { id: _, ...event } = events[before] ?? {};
    assert.deepEqual(event, {
      organization_id: acme.operator.organizationId,
      app_id: acme.appId,
      message_id: messageId,
      channel: 'api',
      units: 1,
      messages: 1,
      payer_organization_id: null,
      payer_user_id: ada.id,
      user_id: ada.id,
      end_user_id: null,
      created_at: clock.now().toISOString(),
    });
  });

  it('refuse a message that is empty, too long or without a page', async () => {
    const cases: [object, string | undefined][] = [
      [{ message: '' }, 'message'],
      [{ message: ' \n ' }, undefined],
      [{ message: 'x'.repeat(8001) }, 'message'],
      [{ message: undefined }, 'message'],
      [{ context: undefined }, 'context'],
      [{ context: { title: 'x' } }, 'context.url'],
      [{ context: { url: '/pumps', title: '' } }, 'context.url'],
      [
        { context: { ...context, forms: [{ fields: [{ name: 'a' }] }] } },
        'context.forms.0.fields.0.type',
      ],
      [
        { context: { ...context, pageStructure: { headings: 'x', navigation: [] } } },
        'context.pageStructure.headings',
      ],
      [{ conversationId: 7 }, 'conversationId'],
      [{ tier: 'internal' }, 'tier'],
    ];
    for (const [body, path] of cases) {
      const reply = await send(body);
      const problem = reply.body as object as { code: string; errors?: { path: string }[] };
      assert.deepEqual(
        [reply.status, problem.code],
        [400, 'invalid_request'],
        JSON.stringify(body).slice(0, 80),
      );
      assert.equal(problem.errors?.[0]?.path, path);
    }
  });

  it('accept the whole page context that a client can describe', async () => {
    const field = { name: 'q', type: 'text', label: 'Search', placeholder: '…', required: true };
    const full = {
      ...context,
      forms: [{ id: 'f', action: '/s', method: 'get', fields: [{ ...field, options: ['a'] }] }],
      selectedText: 'rotor',
      pageStructure: { headings: ['Pumps'], navigation: ['Home'] },
    };
    const long = `${question} ${'very '.repeat(1590)}`.slice(0, 8000);
    assert.equal((await send({ context: full, message: long })).status, 200);
  });
});
