import assert from 'node:assert/strict';
import { createSource } from '../../src/sources/manage-sources.js';
import { callApi } from '../support/api-client.js';
import { auditLogOf } from '../support/audit-log.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

interface Source {
  id: number;
  name: string;
  place: string;
  policy: string;
  next_run_at: string | null;
  include: string[];
  last_run: unknown;
  code?: string;
}

describe('The sources over the API', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  const tokens: Record<string, string> = {};

  before(async () => {
    test = await serveTestApp();
    acme = await addOrganization(test);
    const globex = await addOrganization(test, 'Globex');
    tokens['acme'] = (await addUser(test, acme, 'backoffice')).token;
    tokens['reader'] = (await addUser(test, acme, 'user')).token;
    tokens['globex'] = (await addUser(test, globex, 'admin')).token;
  });
  after(() => test.close());

  const call = <T = Source>(who: string, method: string, path = '', body?: object) =>
    callApi<T>(`${test.url}/api/knowledge/sources${path}`, {
      method,
      token: tokens[who] ?? '',
      ...(body === undefined ? {} : { body }),
    });
  const address = 'https://docs.acme.example/guide/';

  it('are added, changed, asked for and removed by those who may write knowledge', async () => {
    const made = await call('acme', 'POST', '', { name: 'guide', address, include: ['/guide/*'] });
    assert.equal(made.status, 201);
    const { id } = made.body;
    assert.deepEqual([made.body.policy, made.body.next_run_at], ['review', null]);
    const changed = await call('acme', 'PUT', `/${id}`, { policy: 'publish', every_minutes: 60 });
    assert.deepEqual([changed.body.policy, changed.body.include], ['publish', ['/guide/*']]);
    assert.notEqual(changed.body.next_run_at, null);
    assert.equal((await call('acme', 'POST', `/${id}/run`)).status, 202);
    const runs = await call<{ data: unknown[] }>('acme', 'GET', `/${id}/runs`);
    assert.deepEqual(runs.body.data, []);
    const listed = await call<{ data: Source[] }>('acme', 'GET');
    assert.deepEqual(
      listed.body.data.map(({ name, last_run }) => [name, last_run]),
      [['guide', null]],
    );
    assert.equal((await call('acme', 'DELETE', `/${id}`)).status, 204);
    const log = await auditLogOf(test, acme);
    assert.deepEqual(
      log.map(({ action }) => action).filter((action) => action.startsWith('source.')),
      ['source.create', 'source.update', 'source.request_run', 'source.delete'],
    );
  });

  it('belong to their organization, and are no business of readers', async () => {
    const { body } = await call('acme', 'POST', '', { name: 'own', address });
    for (const [method, path] of [
      ['GET', `/${body.id}`],
      ['PUT', `/${body.id}`],
      ['DELETE', `/${body.id}`],
      ['POST', `/${body.id}/run`],
      ['GET', `/${body.id}/runs`],
    ] as const) {
      const change = method === 'PUT' ? { policy: 'publish' } : undefined;
      assert.equal((await call('globex', method, path, change)).status, 404, method);
      assert.equal((await call('reader', method, path, change)).status, 403, method);
    }
    assert.equal((await call('reader', 'GET')).status, 403);
    const others = await call<{ data: Source[] }>('globex', 'GET');
    assert.deepEqual(others.body.data, []);
  });

  it('are read, but not changed, if the operator added them as folders', async () => {
    const { id } = await createSource(test.app, acme.operator, {
      ...{ name: 'folder', folder: test.folder, exclude: ['private/**'] },
    });
    assert.equal((await call('acme', 'POST', `/${id}/run`)).status, 202);
    for (const change of [{ exclude: [] }, { policy: 'publish' }, { visibility: 'public' }]) {
      assert.equal((await call('acme', 'PUT', `/${id}`, change)).status, 409);
    }
  });

  it('are refused with a taken name, a useless address, or a folder of the server', async () => {
    await call('acme', 'POST', '', { name: 'taken', address });
    const refusals: [body: object, status: number][] = [
      [{ name: 'taken', address }, 409],
      [{ name: 'a/b', address }, 400],
      [{ name: 'x', address: 'ftp://docs.acme.example/' }, 400],
      [{ name: 'x', address: 'http://127.0.0.1/' }, 400],
      [{ name: 'x', address: 'http://[fd00::1]/' }, 400],
      [{ name: 'x', address: 'http://localhost/' }, 400],
      [{ name: 'x', folder: '/etc' }, 400],
      [{ name: 'x', address, folder: '/etc' }, 400],
      [{ name: 'x', address, app_id: 999 }, 404],
      [{ name: 'x', address, every_minutes: 0 }, 400],
      [{ name: 'x', address, render: true }, 400],
      [{ name: 'x', address, report_to: 999_999 }, 400],
    ];
    for (const [body, status] of refusals) {
      const refused = await call('acme', 'POST', '', body);
      assert.equal(refused.status, status, JSON.stringify(body));
    }
  });
});
