import assert from 'node:assert/strict';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { callApi, type CallOptions } from '../support/api-client.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import { addView } from '../support/views.js';

interface EntryBody {
  id: string;
  number: number;
  title: string;
  content: string;
  domain: string | null;
  url_pattern: string | null;
  status: string;
  visibility: string;
  visibility_defaulted: boolean;
  scope: string;
  app_id: number | null;
  version: number;
  changed_by?: string;
  created_at: string;
  updated_at: string;
}

interface ListBody {
  data: EntryBody[];
  pagination: { total: number; page: number; limit: number };
}

describe('Knowledge over the API', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let globex: TestOrganization;
  let staff: TestUser;
  let reader: TestUser;
  let stranger: TestUser;

  beforeEach(async () => {
    clock = createTestClock();
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    globex = await addOrganization(test, 'Globex');
    staff = await addUser(test, acme, 'backoffice');
    reader = await addUser(test, acme, 'user');
    stranger = await addUser(test, globex, 'admin');
  });
  afterEach(() => test.close());

  const call = <T = EntryBody>(path: string, options: CallOptions = {}) =>
    callApi<T>(`${test.url}/api/knowledge${path}`, { token: staff.token, ...options });
  const create = async (fields: Record<string, unknown> = {}) => {
    const body = { title: 'Turbines', content: 'The turbine spins.', domain: acme.domain };
    const reply = await call('', { body: { ...body, ...fields } });
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    return reply.body;
  };
  const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    call(`/${id}`, { method: 'PUT', body, headers });
  const titles = async (query: string, token = staff.token) =>
    (await call<ListBody>(`?${query}`, { token })).body.data.map(({ title }) => title);
  const found = async (text: string) => titles(`q=${encodeURIComponent(text)}`);

  describe('Creating', () => {
    it('answers 201 with the entry, its Location and its ETag', async () => {
      const reply = await call('', {
        body: {
          title: 'Refunds',
          content: 'Within 30 days.',
          domain: acme.domain,
          url_pattern: '/shop/*',
          status: 'published',
          visibility: 'authenticated',
        },
      });
      assert.equal(reply.status, 201);
      assert.equal(reply.headers.get('location'), `/api/knowledge/${reply.body.id}`);
      assert.equal(reply.headers.get('etag'), '"1"');
      const { id, number, ...rest } = reply.body;
      assert.match(id, /^[0-9a-f-]{36}$/);
      assert.ok(Number.isInteger(number));
      const now = clock.now().toISOString();
      assert.deepEqual(rest, {
        title: 'Refunds',
        content: 'Within 30 days.',
        domain: acme.domain,
        url_pattern: '/shop/*',
        view_id: null,
        status: 'published',
        visibility: 'authenticated',
        visibility_defaulted: false,
        scope: 'url_pattern',
        app_id: acme.appId,
        language: 'en',
        batch_id: null,
        page_from: null,
        page_to: null,
        source_url: null,
        source_anchor: null,
        version: 1,
        created_at: now,
        updated_at: now,
      });
      assert.deepEqual((await call(`/${id}`)).body, reply.body);
      assert.deepEqual((await call(`/${number}`)).body, reply.body);
    });

    it('requires title, content and domain, and makes a draft with the default visibility', async () => {
      const draft = await create();
      assert.deepEqual(
        [draft.status, draft.visibility, draft.scope],
        ['draft', 'public', 'domain_global'],
      );
      for (const field of ['title', 'content', 'domain']) {
        const body = { title: 'x', content: 'y', domain: acme.domain, [field]: undefined };
        const reply = await callApi(`${test.url}/api/knowledge`, { token: staff.token, body });
        assert.deepEqual([reply.status, reply.body.errors?.[0]?.path], [400, field]);
      }
    });

    it('makes an entry of the whole app if the domain is null or only an app is given', async () => {
      const other = await createApp(test.app, acme.operator, { name: 'Whole' });
      const make = async (place: object) => {
        const body = {
          title: 'x',
          content: 'y',
          status: 'published',
          visibility: 'public',
          ...place,
        };
        const reply = await callApi<EntryBody>(`${test.url}/api/knowledge`, {
          token: staff.token,
          body,
        });
        assert.equal(reply.status, 201);
        return [reply.body.domain, reply.body.scope, reply.body.app_id];
      };
      assert.deepEqual(await make({ domain: null }), [null, 'app_global', acme.appId]);
      assert.deepEqual(await make({ app_id: other.id }), [null, 'app_global', other.id]);
      assert.deepEqual(await make({ domain: null, app_id: other.id }), [
        ...[null, 'app_global', other.id],
      ]);
      const body = { title: 'x', content: 'y', app_id: globex.appId };
      const foreign = await callApi(`${test.url}/api/knowledge`, { token: staff.token, body });
      assert.equal(foreign.status, 404);
    });

    it('binds an entry to a view of the app, and refuses one of another app', async () => {
      const view = await addView(test, acme, '/invoices/:id');
      const foreign = await addView(test, globex, '/invoices/:id');
      assert.equal((await create({ view_id: view })).scope, 'view');
      const body = { title: 'x', content: 'y', domain: acme.domain, view_id: foreign };
      const refused = await callApi(`${test.url}/api/knowledge`, { token: staff.token, body });
      assert.deepEqual([refused.status, refused.body.errors?.[0]?.path], [404, 'view_id']);
    });

    it('refuses the domain of another organization, and an app that does not claim the domain', async () => {
      const other = await createApp(test.app, acme.operator, { name: 'Other' });
      const cases: [Record<string, unknown>, number][] = [
        [{ domain: globex.domain }, 409],
        [{ app_id: other.id }, 409],
        [{ app_id: globex.appId }, 404],
        [{ domain: 'new.example', app_id: globex.appId }, 404],
      ];
      for (const [fields, status] of cases) {
        const body = { title: 'x', content: 'y', domain: acme.domain, ...fields };
        assert.equal((await call('', { body })).status, status, JSON.stringify(fields));
      }
      assert.equal((await call<ListBody>('')).body.pagination.total, 0);
    });
  });

  describe('Changing', () => {
    it('changes only the given fields, and returns a new ETag', async () => {
      const { id, ...before } = await create({ url_pattern: '/a' });
      clock.advance(1000);
      const reply = await put(id, { content: 'The rotor turns.', status: 'published' });
      assert.deepEqual([reply.status, reply.headers.get('etag')], [200, '"2"']);
      assert.deepEqual(reply.body, {
        ...before,
        id,
        content: 'The rotor turns.',
        status: 'published',
        version: 2,
        updated_at: clock.now().toISOString(),
      });
    });

    it('refuses a change or deletion of an outdated version with 412', async () => {
      const { id } = await create();
      assert.equal((await put(id, { title: 'Mine' }, { 'If-Match': '"1"' })).status, 200);
      const lost = await put(id, { title: 'Yours' }, { 'If-Match': '"1"' });
      assert.equal(lost.status, 412);
      assert.equal((await call(`/${id}`)).body.title, 'Mine');
      for (const tag of ['"2"', 'W/"2"', '"1", "2"', '*'])
        assert.equal((await put(id, {}, { 'If-Match': tag })).status, 200, tag);
      const gone = { method: 'DELETE', headers: { 'If-Match': '"1"' } };
      assert.equal((await call(`/${id}`, gone)).status, 412);
    });

    it('accepts only one of two simultaneous changes of the same version', async () => {
      const { id } = await create();
      const both = await Promise.all(
        ['One', 'Two'].map((title) => put(id, { title }, { 'If-Match': '"1"' })),
      );
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412]);
    });

    it('creates no version if nothing changes', async () => {
      const { id, title } = await create();
      assert.equal((await put(id, { title })).body.version, 1);
      assert.equal((await put(id, {})).body.version, 1);
    });

    it('keeps a chosen visibility, follows the app’s default otherwise, and returns to the default with null', async () => {
      const chosen = await create({ visibility: 'internal' });
      const defaulted = await create();
      await test.app.db
        .write('apps')
        .where({ id: acme.appId })
        .update({ default_knowledge_visibility: 'authenticated' });
      const visibilityAfter = async (id: string, body: object) => {
        const { visibility, visibility_defaulted } = (await put(id, body)).body;
        return [visibility, visibility_defaulted];
      };
      assert.deepEqual(await visibilityAfter(chosen.id, { content: 'a' }), ['internal', false]);
      assert.deepEqual(await visibilityAfter(defaulted.id, { content: 'a' }), [
        'authenticated',
        true,
      ]);
      assert.deepEqual(await visibilityAfter(chosen.id, { visibility: null }), [
        'authenticated',
        true,
      ]);
      assert.deepEqual(await visibilityAfter(chosen.id, { visibility: 'public' }), [
        'public',
        false,
      ]);
    });

    it('updates search and pages at once after a new text, visibility or status', async () => {
      const { id } = await create({ status: 'published' });
      await put(id, { content: 'The rotor turns.' });
      assert.deepEqual([await found('rotor'), await found('spins')], [['Turbines'], []]);
      assert.deepEqual(await titles('q=rotor', reader.token), ['Turbines']);
      await put(id, { visibility: 'internal' });
      assert.deepEqual(await titles('q=rotor', reader.token), []);
      const page = () =>
        callApi<{ stats: { appContentCount: number } }>(
          `${test.url}/api/knowledge/page?url=https://${acme.domain}/`,
          { token: staff.token },
        );
      assert.equal((await page()).body.stats.appContentCount, 1);
      await put(id, { status: 'draft' });
      assert.equal((await page()).body.stats.appContentCount, 0);
    });

    it('moves an entry to another domain or the whole app, and updates its scope', async () => {
      const { id } = await create({ url_pattern: '/a' });
      const move = async (body: object) => {
        const { scope, domain, app_id } = (await put(id, body)).body;
        return [scope, domain, app_id];
      };
      assert.deepEqual(await move({ url_pattern: null }), [
        'domain_global',
        acme.domain,
        acme.appId,
      ]);
      assert.deepEqual(await move({ domain: null }), ['app_global', null, acme.appId]);
      assert.deepEqual(await move({ domain: 'New.Example' }), [
        'domain_global',
        'new.example',
        null,
      ]);
      assert.equal((await put(id, { domain: globex.domain })).status, 409);
      assert.deepEqual(await move({ domain: acme.domain }), [
        'domain_global',
        acme.domain,
        acme.appId,
      ]);
    });

    it('keeps each previous version with its author and time, for staff only', async () => {
      const { id } = await create();
      clock.advance(1000);
      await put(id, { content: 'Second.' });
      clock.advance(1000);
      await put(id, { content: 'Third.', visibility: 'internal' });
      const history = await call<ListBody>(`/${id}/history`);
      assert.deepEqual(history.body.pagination, { total: 2, page: 1, limit: 20 });
      assert.deepEqual(
        history.body.data.map(({ version, content, changed_by, updated_at }) => [
          ...[version, content, changed_by, updated_at],
        ]),
        [
          [2, 'Second.', `user:${staff.id}`, '2026-03-01T09:00:01.000Z'],
          [1, 'The turbine spins.', `user:${staff.id}`, '2026-03-01T09:00:00.000Z'],
        ],
      );
      assert.equal((await call(`/${id}/history`, { token: reader.token })).status, 403);
      assert.equal((await call(`/${id}/history`, { token: stranger.token })).status, 404);
    });
  });

  it('is deleted from lists and search at once', async () => {
    const { id } = await create({ status: 'published' });
    const reply = await call(`/${id}`, { method: 'DELETE' });
    assert.deepEqual([reply.status, reply.body], [204, undefined]);
    assert.deepEqual([await titles(''), await found('turbine')], [[], []]);
    assert.equal((await call(`/${id}`)).status, 404);
    assert.equal((await call(`/${id}`, { method: 'DELETE' })).status, 404);
  });

  it('is recorded in the audit log when it is created, changed and deleted', async () => {
    const { id } = await create();
    await put(id, { title: 'Rotors' });
    await call(`/${id}`, { method: 'DELETE' });
    const rows = (await test.app.db
      .read('audit_log')
      .where('subject', `entry:${id}`)
      .orderBy('id')
      .select('*')) as { actor: string; action: string; before: string; after: string }[];
    assert.deepEqual(
      rows.map(({ actor, action }) => [actor, action]),
      ['entry.create', 'entry.update', 'entry.delete'].map((action) => [
        `user:${staff.id}`,
        action,
      ]),
    );
    assert.equal((JSON.parse(rows[1]?.before ?? '') as EntryBody).title, 'Turbines');
    const after = JSON.parse(rows[1]?.after ?? '') as EntryBody;
    assert.deepEqual([after.title, after.content], ['Rotors', undefined]);
  });

  it('can be changed by staff only, and is not found by other organizations', async () => {
    const { id } = await create({ status: 'published' });
    const body = { title: 'x', content: 'y', domain: acme.domain };
    assert.equal((await call('', { body, token: reader.token })).status, 403);
    for (const [token, status] of [
      [reader.token, 403],
      [stranger.token, 404],
    ] as const) {
      assert.equal(
        (await call(`/${id}`, { method: 'PUT', body: { title: 'x' }, token })).status,
        status,
      );
      assert.equal((await call(`/${id}`, { method: 'DELETE', token })).status, status);
    }
    assert.equal((await call(`/${id}`, { token: stranger.token })).status, 404);
    assert.equal((await call(`/${id}`, { token: reader.token })).status, 200);
    assert.equal((await call(`/${id}`)).body.title, 'Turbines');
  });

  describe('Listing', () => {
    beforeEach(async () => {
      const store = async (title: string, fields: Parameters<typeof storeEntry>[2]) => {
        await storeEntry(test, acme, { ...fields, title });
        clock.advance(1000);
      };
      await store('Zebra', { title: '', content: 'Stripes on a horse.' });
      await store('Apple', { title: '', content: 'A fruit for horses.', urlPattern: '/fruit' });
      await store('Secret', { title: '', content: 'A hidden horse.', visibility: 'internal' });
      await store('Members', {
        title: '',
        content: 'For those inside.',
        visibility: 'authenticated',
      });
      await store('Draft', { title: '', content: 'A horse to come.', status: 'draft' });
      await storeEntry(test, globex, { title: 'Foreign', content: 'A horse of others.' });
    });

    it('pages and sorts, by default the oldest first', async () => {
      const first = await call<ListBody>('?limit=2');
      assert.deepEqual(first.body.pagination, { total: 5, page: 1, limit: 2 });
      assert.deepEqual(await titles('limit=2'), ['Zebra', 'Apple']);
      assert.deepEqual(await titles('limit=2&page=3'), ['Draft']);
      assert.deepEqual(await titles('page=1000000&limit=100'), []);
      assert.deepEqual(await titles('sort=title&limit=2'), ['Apple', 'Draft']);
      assert.deepEqual(await titles('sort=-title&limit=1'), ['Zebra']);
      assert.deepEqual(await titles('sort=-created_at&limit=1'), ['Draft']);
      assert.deepEqual(await titles('sort=-updated_at&limit=1'), ['Draft']);
    });

    it('applies each filter', async () => {
      assert.deepEqual(await titles('status=draft'), ['Draft']);
      assert.deepEqual(await titles('visibility=internal'), ['Secret']);
      assert.deepEqual(await titles('url_pattern=/fruit/'), ['Apple']);
      assert.deepEqual(await titles(`domain=${acme.domain.toUpperCase()}&limit=1`), ['Zebra']);
      assert.deepEqual(await titles('domain=elsewhere.example'), []);
      assert.equal((await titles(`app_id=${acme.appId}`)).length, 5);
      assert.equal((await call(`?app_id=${globex.appId}`)).status, 404);
    });

    it('finds entries with all words of q, in any form or by their beginning', async () => {
      assert.deepEqual((await found('horses')).sort(), ['Apple', 'Draft', 'Secret', 'Zebra']);
      assert.deepEqual(await found('horse rotor'), []);
      assert.deepEqual(await found('the horse with stripes'), ['Zebra']);
      assert.deepEqual(await found('stri'), ['Zebra']);
      assert.deepEqual(await found('zebra'), ['Zebra']);
      assert.deepEqual(await found('horse" OR NEAR(* -'), []);
      assert.deepEqual(await found('?!'), []);
      const page = await call<ListBody>('?q=horse&limit=1&page=2');
      assert.deepEqual([page.body.data.length, page.body.pagination.total], [1, 4]);
    });

    it('shows a user only published entries for users, in totals and searches too', async () => {
      assert.deepEqual(await titles('', reader.token), ['Zebra', 'Apple', 'Members']);
      assert.deepEqual((await titles('q=horse', reader.token)).sort(), ['Apple', 'Zebra']);
      assert.deepEqual(await titles('status=draft', reader.token), []);
      assert.deepEqual(await titles('visibility=internal', reader.token), []);
      const list = await call<ListBody>('?limit=1', { token: reader.token });
      assert.equal(list.body.pagination.total, 3);
      assert.deepEqual(await titles('q=horse', stranger.token), ['Foreign']);
    });

    it('names the parameter that it refuses', async () => {
      for (const [query, path] of [
        ['page=0', 'page'],
        ['limit=101', 'limit'],
        ['page=1e300', 'page'],
        ['sort=content', 'sort'],
        ['sort=relevance', 'sort'],
        ['status=live', 'status'],
        ['domain=https://x', 'domain'],
        ['url_pattern=x', 'url_pattern'],
        ['app_id=x', 'app_id'],
        ['colour=red', 'colour'],
      ]) {
        const reply = await callApi(`${test.url}/api/knowledge?${query}`, { token: staff.token });
        assert.deepEqual([reply.status, reply.body.errors?.[0]?.path], [400, path], query);
      }
    });
  });
});
