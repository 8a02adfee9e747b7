import assert from 'node:assert/strict';
import { startIngestion } from '../../src/ingestion/upload/start-ingestion.js';
import { callApi } from '../support/api-client.js';
import { auditLogOf } from '../support/audit-log.js';
import { sampleManual } from '../support/sample-manual.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

interface Document {
  batch_id: string;
  source: string;
  file_name: string;
}

describe('The documents of a source over the API', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let globex: TestOrganization;
  const tokens: Record<string, string> = {};

  before(async () => {
    test = await serveTestApp();
    acme = await addOrganization(test);
    globex = await addOrganization(test, 'Globex');
    tokens['acme'] = (await addUser(test, acme, 'backoffice')).token;
    tokens['globex'] = (await addUser(test, globex, 'admin')).token;
    tokens['reader'] = (await addUser(test, acme, 'user')).token;
  });
  after(() => test.close());

  const store = async ({ operator }: TestOrganization, fileName: string, source?: string) => {
    const bytes = await sampleManual(1, `${fileName} ${source ?? ''}`);
    return (await startIngestion(test.app, operator, { fileName, bytes, source })).batch.id;
  };
  const call = <T>(who: string, path: string, method = 'GET') =>
    callApi<T>(`${test.url}/api/knowledge/documents${path}`, { method, token: tokens[who] ?? '' });
  const listed = async (who: string, source: string) => {
    const { body } = await call<{ data: Document[] }>(who, `?source=${source}`);
    return body.data.map(({ file_name, source }) => `${source} ${file_name}`);
  };

  it('are listed and deleted only with the right to write knowledge, within one’s organization', async () => {
    const mine = await store(acme, 'a.pdf', 'docs');
    await store(acme, 'b.pdf', 'docs');
    await store(acme, 'c.pdf', 'more');
    await store(acme, 'd.pdf');
    await store(globex, 'e.pdf', 'docs');
    assert.deepEqual(await listed('acme', 'docs'), ['docs a.pdf', 'docs b.pdf']);
    assert.deepEqual(await listed('globex', 'docs'), ['docs e.pdf']);
    assert.deepEqual(await listed('globex', 'more'), []);
    for (const [who, status] of [
      ['globex', 404],
      ['reader', 403],
      ['nobody', 401],
    ] as const) {
      assert.equal((await call(who, `/${mine}`)).status, status);
      assert.equal((await call(who, `/${mine}`, 'DELETE')).status, status);
    }
    assert.equal((await call('reader', '?source=docs')).status, 403);
    const shown = await call<{ published: number; drafts: number }>('acme', `/${mine}`);
    assert.deepEqual([shown.body.published, shown.body.drafts], [0, 0]);
    const removed = await call<object>('acme', `/${mine}`, 'DELETE');
    assert.deepEqual(removed.body, { success: true, taken_back: 0, deleted: 0 });
    assert.equal((await call('acme', `/${mine}`, 'DELETE')).status, 404);
    assert.deepEqual(await listed('acme', 'docs'), ['docs b.pdf']);
    const log = await auditLogOf(test, acme);
    assert.equal(log.filter(({ action }) => action === 'document.prune').length, 1);
  });

  it('can’t be deleted by an outdated batch', async () => {
    const first = await store(acme, 'v.pdf', 'versions');
    const bytes = await sampleManual(2, 'another');
    const again = { fileName: 'v.pdf', bytes, source: 'versions' };
    const { batch } = await startIngestion(test.app, acme.operator, again);
    const { status, body } = await call<{ detail: string }>('acme', `/${first}`, 'DELETE');
    assert.equal(status, 409);
    assert.match(body.detail, new RegExp(`read again since, as batch ${batch.id}`));
    const data = await call<{ data: Document[] }>('acme', '?source=versions');
    assert.deepEqual(
      data.body.data.map(({ batch_id }) => batch_id),
      [batch.id],
    );
  });

  it('are refused for an invalid source name', async () => {
    for (const source of ['', 'a/b', ' a', 'a%0Ab', 'x'.repeat(101)]) {
      assert.equal((await call('acme', `?source=${source}`)).status, 400, source);
    }
    assert.equal((await call('acme', '')).status, 400);
  });
});
