import assert from 'node:assert/strict';
import {
  createDocumentExtractor,
  type DocumentExtractor,
} from '../../src/documents/extract-document.js';
import { deleteBatch, getBatch, retryBatch } from '../../src/ingestion/review/review-batch.js';
import { approveBatch } from '../../src/ingestion/review/approve-batch.js';
import { runDueBatches } from '../../src/ingestion/worker/run-worker.js';
import { startIngestion } from '../../src/ingestion/upload/start-ingestion.js';
import { recordChange } from '../../src/audit/record-change.js';
import type { Actor } from '../../src/platform/actor.js';
import { AppError } from '../../src/platform/errors.js';
import { callApi } from '../support/api-client.js';
import { sampleManual } from '../support/sample-manual.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';

interface ChangeBody {
  id: number;
  actor: string;
  action: string;
  subject: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  created_at: string;
}

describe('The record of changes', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let globex: TestOrganization;
  let admin: TestUser;
  let stranger: TestUser;

  beforeEach(async () => {
    clock = createTestClock('2026-03-01T23:59:59.000Z');
    test = await serveTestApp({ ingestion: { section_min_chars: 0 } }, clock);
    acme = await addOrganization(test);
    globex = await addOrganization(test, 'Globex');
    admin = await addUser(test, acme, 'admin');
    stranger = await addUser(test, globex, 'admin');
    // Creating the organizations and users is recorded too.
    await test.app.db.write('audit_log').delete();
  });
  afterEach(() => test.close());

  const list = async (query = '', token = admin.token) =>
    (
      await callApi<{ data: ChangeBody[]; pagination: object }>(
        `${test.url}/api/admin/audit-log${query}`,
        { token },
      )
    ).body;
  const facts = async (query = '') =>
    (await list(query)).data.map(({ actor, action, subject }) => [actor, action, subject]);
  const asAdmin = (): Actor => {
    const { organizationId } = acme.operator;
    return { kind: 'user', organizationId, userId: admin.id, role: 'admin' };
  };
  const record = (action: string, subject: string, organization = acme, actor = asAdmin()) =>
    recordChange(test.app, actor, {
      organizationId: organization.operator.organizationId,
      ...{ action, subject, before: { name: 'a', same: 1 }, after: { name: 'b', same: 1 } },
    });

  it('shows who changed what, with the values before and after, newest first', async () => {
    await record('app.update', 'app:1');
    clock.advance(1000);
    await record('view.update', 'view:1');
    const { data, pagination } = await list();
    const [newest, oldest] = data;
    assert.deepEqual(pagination, { total: 2, page: 1, limit: 20 });
    assert.equal(newest?.action, 'view.update');
    assert.deepEqual(oldest, {
      id: oldest?.id,
      actor: `user:${admin.id}`,
      action: 'app.update',
      subject: 'app:1',
      before: { name: 'a' },
      after: { name: 'b' },
      created_at: '2026-03-01T23:59:59.000Z',
    });
    assert.deepEqual((await list('?page=2&limit=1')).data, [oldest]);
  });

  it('is filtered by actor, action, subject and days', async () => {
    await record('app.update', 'app:1');
    await record('app_key.update', 'app_key:1', acme, acme.operator);
    clock.advance(1000);
    await record('app.delete', 'app:1');
    const by = `user:${admin.id}`;
    const deleted = [by, 'app.delete', 'app:1'];
    const updated = [by, 'app.update', 'app:1'];
    const key = ['operator', 'app_key.update', 'app_key:1'];
    assert.deepEqual(await facts('?actor=operator'), [key]);
    assert.deepEqual(await facts('?action=app'), [deleted, updated]);
    assert.deepEqual(await facts('?action=app.update'), [updated]);
    assert.deepEqual(await facts('?action=app_'), []);
    assert.deepEqual(await facts('?action=%25'), []);
    assert.deepEqual(await facts('?subject=app:1&from=2026-03-02'), [deleted]);
    assert.deepEqual(await facts('?to=2026-03-01'), [key, updated]);
    assert.deepEqual(await facts('?from=2026-03-01&to=2026-03-02'), [deleted, key, updated]);
    assert.deepEqual(await facts('?from=2026-03-03'), []);
  });

  it('is shown only to admins, and only for their organization', async () => {
    await record('app.update', 'app:1', globex);
    assert.deepEqual(await facts(), []);
    assert.equal((await list('', stranger.token)).data.length, 1);
    for (const role of ['user', 'backoffice'] as const) {
      const { token } = await addUser(test, acme, role);
      const { status } = await callApi(`${test.url}/api/admin/audit-log`, { token });
      assert.equal(status, 403);
    }
    assert.equal((await callApi(`${test.url}/api/admin/audit-log`)).status, 401);
  });

  it('refuses invalid filters', async () => {
    for (const [query, path] of [
      ['from=2026-13-01', 'from'],
      ['from=2026-03-02&to=2026-03-01', 'to'],
      ['actor=', 'actor'],
      [`subject=${'x'.repeat(201)}`, 'subject'],
      ['who=me', 'who'],
    ] as const) {
      const url = `${test.url}/api/admin/audit-log?${query}`;
      const { status, body } = await callApi(url, { token: admin.token });
      assert.deepEqual([status, body.errors?.[0]?.path], [400, path]);
    }
  });

  describe('of batches', () => {
    let extractor: DocumentExtractor;
    let bytes: Uint8Array;
    before(async () => {
      extractor = createDocumentExtractor({ workers: 1, workerMemoryMb: 512 });
      bytes = await sampleManual(3);
    });
    after(() => extractor.close());

    const start = (actor: Actor) =>
      startIngestion(test.app, actor, { fileName: 'manual.pdf', bytes });

    it('shows who started, approved and deleted one, with its entries', async () => {
      const { batch } = await start(asAdmin());
      const subject = `batch:${batch.id}`;
      await runDueBatches(test.app, extractor);
      const { entries } = await getBatch(test.app, acme.operator, batch.id);
      const [first, ...others] = entries.map(({ id }) => id);
      const entryIds = [first ?? 0];
      const approve = () => approveBatch(test.app, asAdmin(), { batchId: batch.id, entryIds });
      await approve();
      // A second approval of published entries changes nothing, and is not recorded.
      await approve();
      await deleteBatch(test.app, acme.operator, batch.id);
      const { data } = await list('?action=batch');
      const by = `user:${admin.id}`;
      assert.deepEqual(
        data.map(({ actor, action, subject: of }) => [actor, action, of]),
        [
          ['operator', 'batch.delete', subject],
          [by, 'batch.approve', subject],
          [by, 'batch.start', subject],
        ],
      );
      const [deleted, approved, started] = data;
      assert.deepEqual(approved?.after, { entry_ids: entryIds });
      assert.deepEqual(
        [deleted?.before?.['drafts'], deleted?.before?.['status'], deleted?.after],
        [others.length, 'completed', null],
      );
      assert.deepEqual(
        [started?.before, started?.after?.['file_name'], started?.after?.['app_id']],
        [null, 'manual.pdf', acme.appId],
      );
    });

    it('shows who retried one, and nothing for a duplicate upload', async () => {
      const { batch } = await start(acme.operator);
      assert.equal((await start(acme.operator)).duplicate, true);
      const failed = { status: 'failed', error_code: 'damaged', error_message: 'torn' };
      await test.app.db.write('ingestion_batches').where({ id: batch.id }).update(failed);
      await retryBatch(test.app, asAdmin(), batch.id);
      const { data } = await list('?action=batch');
      assert.deepEqual(
        data.map(({ actor, action }) => [actor, action]),
        [
          [`user:${admin.id}`, 'batch.retry'],
          ['operator', 'batch.start'],
        ],
      );
      assert.deepEqual(data[0]?.after, { status: 'processing', error: null });
      assert.equal((data[0].before?.['error'] as { code: string }).code, 'damaged');
    });

    it('holds nothing about refused changes', async () => {
      const { batch } = await start(acme.operator);
      await runDueBatches(test.app, extractor);
      await test.app.db.write('audit_log').delete();
      const input = { batchId: batch.id, entryIds: [987_654] };
      await assert.rejects(approveBatch(test.app, asAdmin(), input), AppError);
      await assert.rejects(retryBatch(test.app, asAdmin(), batch.id), AppError);
      await assert.rejects(deleteBatch(test.app, globex.operator, batch.id), AppError);
      assert.deepEqual(await facts(), []);
    });
  });
});
