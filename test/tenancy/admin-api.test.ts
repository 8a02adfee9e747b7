import assert from 'node:assert/strict';
import { callApi, type ApiReply, type CallOptions } from '../support/api-client.js';
import { auditLogOf } from '../support/audit-log.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

interface Thing {
  id: number;
  name: string;
  slug: string;
  host: string;
  path: string;
  title: string;
  app_id: number;
  default_knowledge_visibility: string | null;
  created_at: string;
  updated_at: string;
  code: string;
  detail: string;
  errors: { path: string }[];
  data: Thing[];
  pagination: { total: number; page: number; limit: number };
}

describe('The administration of an organization', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let globex: TestOrganization;
  let admin: string;
  let call: (path: string, options?: CallOptions) => Promise<ApiReply<Thing>>;

  before(async () => {
    test = await serveTestApp();
    acme = await addOrganization(test);
    globex = await addOrganization(test, 'Globex');
    admin = (await addUser(test, acme, 'admin')).token;
    call = (path, options = {}) =>
      callApi<Thing>(`${test.url}/api/admin/${path}`, { token: admin, ...options });
  });
  after(() => test.close());

  const put = (path: string, body: unknown) => call(path, { method: 'PUT', body });
  const remove = (path: string) => call(path, { method: 'DELETE' });
  const newApp = async (name: string) => (await call('apps', { body: { name } })).body.id;

  it('lists only the caller’s organization, and renames it without changing its slug', async () => {
    const { body } = await call('organizations');
    assert.deepEqual(
      body.data.map(({ name }) => name),
      ['Acme'],
    );
    assert.deepEqual(body.pagination, { total: 1, page: 1, limit: 20 });
    assert.deepEqual((await call('organizations?page=2')).body.data, []);
    const { organizationId } = acme.operator;
    const renamed = await put(`organizations/${organizationId}`, { name: ' Acme & Sons ' });
    assert.deepEqual([renamed.status, renamed.body.name], [200, 'Acme & Sons']);
    assert.equal((await call(`organizations/${organizationId}`)).body.slug, 'acme');
    assert.equal((await put(`organizations/${organizationId}`, {})).body.name, 'Acme & Sons');
  });

  it('creates, changes and deletes apps', async () => {
    const made = await call('apps', { body: { name: 'Shop' } });
    assert.equal(made.status, 201);
    assert.equal(made.headers.get('location'), `/api/admin/apps/${made.body.id}`);
    assert.equal(made.body.default_knowledge_visibility, null);
    assert.match(made.body.created_at, /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
    const path = `apps/${made.body.id}`;
    const changed = await put(path, { default_knowledge_visibility: 'internal' });
    assert.deepEqual(
      [changed.body.name, changed.body.default_knowledge_visibility],
      ['Shop', 'internal'],
    );
    assert.deepEqual((await call(path)).body, changed.body);
    assert.equal((await put(path, { default_knowledge_visibility: null })).status, 200);
    assert.equal((await call('apps', { body: { name: 'Shop' } })).body.code, 'conflict');
    assert.equal((await put(`apps/${acme.appId}`, { name: 'Shop' })).body.code, 'conflict');
    assert.equal((await remove(path)).status, 204);
    assert.equal((await call(path)).status, 404);
  });

  it('refuses to delete an app with entries and domains, and counts them', async () => {
    const id = await newApp('Full');
    await call('domains', { body: { host: 'full.example', app_id: id } });
    const place = { ...acme, appId: id, domain: 'full.example' };
    await storeEntry(test, place, { title: 'One', content: 'One text.' });
    const refused = await remove(`apps/${id}`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
    assert.match(refused.body.detail, /1 entry, 1 domain/);
    assert.equal((await call(`apps/${id}`)).status, 200);
  });

  it('refuses to delete an app while an entry without a claimed domain is bound to one of its views', async () => {
    const id = await newApp('Bound');
    const view = await call('views', { body: { app_id: id, path: '/bound', title: 'Bound' } });
    const made = await call('domains', { body: { host: 'bound.example', app_id: id } });
    const place = { ...acme, appId: id, domain: 'bound.example' };
    const text = { title: 'Bound', content: 'A bound text.' };
    await storeEntry(test, place, { ...text, viewId: view.body.id });
    assert.equal((await remove(`domains/${made.body.id}`)).status, 204);
    assert.match((await remove(`apps/${id}`)).body.detail, /1 entry\./);
  });

  it('registers domains in their canonical form, each only once', async () => {
    const made = await call('domains', { body: { host: 'Bücher.Example.', app_id: acme.appId } });
    assert.equal(made.status, 201);
    assert.equal(made.headers.get('location'), `/api/admin/domains/${made.body.id}`);
    assert.equal(made.body.host, 'xn--bcher-kva.example');
    assert.deepEqual((await call(`domains/${made.body.id}`)).body, made.body);
    const again = { host: 'xn--bcher-kva.example', app_id: acme.appId };
    assert.equal((await call('domains', { body: again })).body.code, 'conflict');
    const taken = await call('domains', { body: { host: globex.domain, app_id: acme.appId } });
    assert.equal(taken.body.code, 'conflict');
    const bad = await call('domains', { body: { host: 'https://x.example', app_id: acme.appId } });
    assert.deepEqual([bad.status, bad.body.errors[0]?.path], [400, 'host']);
    const listed = await call(`domains?app_id=${acme.appId}&limit=1&page=2`);
    assert.deepEqual(
      listed.body.data.map(({ host }) => host),
      ['xn--bcher-kva.example'],
    );
    assert.equal(listed.body.pagination.total, 2);
  });

  it('stores views by their canonical path, each only once in an app', async () => {
    const app_id = acme.appId;
    const fields = { app_id, path: '/invoices/:id/?tab=1', title: 'Invoice' };
    const made = await call('views', { body: fields });
    assert.deepEqual([made.status, made.body.path], [201, '/invoices/:id']);
    assert.equal(made.headers.get('location'), `/api/admin/views/${made.body.id}`);
    const again = { app_id, path: '/invoices/:id', title: 'Again' };
    assert.equal((await call('views', { body: again })).body.code, 'conflict');
    const path = `views/${made.body.id}`;
    assert.equal((await put(path, { title: 'An invoice' })).body.title, 'An invoice');
    assert.equal((await put(path, { path: '/bills/:id' })).body.path, '/bills/:id');
    for (const bad of ['invoices', '/a/*', '?x', ' ']) {
      const refused = await put(path, { path: bad });
      assert.deepEqual([refused.status, refused.body.errors[0]?.path], [400, 'path'], bad);
    }
    const listed = await call(`views?app_id=${app_id}`);
    assert.deepEqual(
      listed.body.data.map((view) => view.path),
      ['/bills/:id'],
    );
  });

  it('deletes a view only when no entry is bound to it', async () => {
    const app_id = acme.appId;
    const { body: view } = await call('views', { body: { app_id, path: '/v', title: 'V' } });
    const entry = await storeEntry(test, acme, {
      title: 'Bound',
      content: 'Bound.',
      viewId: view.id,
    });
    const refused = await remove(`views/${view.id}`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
    await callApi(`${test.url}/api/knowledge/${entry.uuid}`, { method: 'DELETE', token: admin });
    assert.equal((await remove(`views/${view.id}`)).status, 204);
    assert.equal((await remove(`views/${view.id}`)).status, 404);
  });

  it('is for admins only', async () => {
    const paths = ['organizations', 'apps', 'domains', 'views', 'widget-keys'];
    for (const role of ['user', 'backoffice'] as const) {
      const { token } = await addUser(test, acme, role);
      for (const path of paths) assert.equal((await call(path, { token })).status, 403, path);
    }
    for (const path of paths) {
      assert.equal((await callApi(`${test.url}/api/admin/${path}`)).status, 401, path);
    }
  });

  it('answers 404 for everything of another organization', async () => {
    const other = (await addUser(test, globex, 'admin')).token;
    const foreign = async (path: string, body: unknown) =>
      (await call(path, { token: other, body })).body.id;
    const domain = await foreign('domains', { host: 'foreign.example', app_id: globex.appId });
    const view = await foreign('views', { app_id: globex.appId, path: '/f', title: 'F' });
    const fields = { app_id: globex.appId, kind: 'public', name: 'F' };
    const key = await foreign('widget-keys', fields);
    const things = [
      [`organizations/${globex.operator.organizationId}`, { name: 'X' }],
      [`apps/${globex.appId}`, { name: 'X' }],
      [`domains/${domain}`, { app_id: acme.appId }],
      [`views/${view}`, { title: 'X' }],
      [`widget-keys/${key}`, { name: 'X' }],
    ] as const;
    for (const [path, body] of things) {
      assert.equal((await call(path)).status, 404, path);
      assert.equal((await put(path, body)).status, 404, path);
      if (!path.startsWith('organizations')) assert.equal((await remove(path)).status, 404, path);
    }
    const inForeignApp = { app_id: globex.appId };
    const tries = [
      ['domains', { ...inForeignApp, host: 'new.example' }],
      ['views', { ...inForeignApp, path: '/n', title: 'N' }],
      ['widget-keys', { ...inForeignApp, kind: 'public', name: 'N' }],
      [`widget-keys/${key}/rotate-secret`, {}],
    ] as const;
    for (const [path, body] of tries) assert.equal((await call(path, { body })).status, 404, path);
    for (const list of ['domains', 'views', 'widget-keys']) {
      assert.equal((await call(`${list}?app_id=${globex.appId}`)).status, 404, list);
      const { data } = (await call(`${list}?limit=100`)).body;
      assert.ok(
        data.every(({ app_id }) => app_id !== globex.appId),
        list,
      );
    }
    const [own] = (await call('domains')).body.data;
    assert.equal((await put(`domains/${own?.id ?? 0}`, inForeignApp)).status, 404);
  });

  it('answers invalid ids and fields with 400 and the field’s path', async () => {
    const huge = '9'.repeat(40);
    for (const id of [huge, '0', '-1', '1.5', 'x', '9007199254740993', '%00', '1e400']) {
      for (const thing of ['organizations', 'apps', 'domains', 'views', 'widget-keys']) {
        const { status, body } = await call(`${thing}/${id}`);
        assert.deepEqual([status, body.errors[0]?.path], [400, 'id'], `${thing}/${id}`);
      }
    }
    assert.equal((await call('apps/9007199254740991')).status, 404);
    const bodies = [
      ['apps', { name: '' }, 'name'],
      ['apps', { name: 'a\u0000b' }, 'name'],
      ['apps', { name: 'x'.repeat(201) }, 'name'],
      ['apps', { name: 'x', nmae: 1 }, 'nmae'],
      [
        'apps',
        { name: 'x', default_knowledge_visibility: 'secret' },
        'default_knowledge_visibility',
      ],
      ['domains', { host: 'a.example', app_id: 2 ** 53 }, 'app_id'],
      ['domains', { host: 'x'.repeat(256), app_id: 1 }, 'host'],
      ['views', { app_id: 1, path: '/x', title: 7 }, 'title'],
      ['widget-keys', { app_id: 1, kind: 'secret', name: 'x' }, 'kind'],
    ] as const;
    for (const [path, body, field] of bodies) {
      const refused = await call(path, { body });
      assert.deepEqual([refused.status, refused.body.errors[0]?.path], [400, field]);
    }
    const surrogate = await call('apps', { body: '{"name":"\\ud800"}' });
    assert.deepEqual([surrogate.status, surrogate.body.errors[0]?.path], [400, 'name']);
  });

  it('records each change with its author and the values before and after', async () => {
    const { body: made } = await call('apps', { body: { name: 'Audited' } });
    await put(`apps/${made.id}`, { name: 'Renamed' });
    await put(`apps/${made.id}`, { name: 'Renamed' });
    await remove(`apps/${made.id}`);
    const subject = `app:${made.id}`;
    const records = (await auditLogOf(test, acme)).filter((one) => one.subject === subject);
    assert.deepEqual(
      records.map(({ action }) => action),
      ['app.create', 'app.update', 'app.delete'],
    );
    assert.match(records[0]?.actor ?? '', /^user:\d+$/);
    assert.equal((records[1]?.before as Thing).name, 'Audited');
    assert.equal((records[1]?.after as Thing).name, 'Renamed');
    const actions = new Set((await auditLogOf(test, acme)).map(({ action }) => action));
    for (const action of [
      ...['organization.update', 'domain.create', 'domain.delete'],
      ...['view.create', 'view.update', 'view.delete'],
    ]) {
      assert.ok(actions.has(action), action);
    }
  });
});
