import assert from 'node:assert/strict';
import { listChanges } from '../../src/audit/list-changes.js';
import { listEffectiveSettings } from '../../src/operations/config/list-effective-settings.js';
import { keepExamination, readExamination } from '../../src/operations/kept-examination.js';
import { backup, listOwnBackups, startBackup } from '../../src/operations/manage-backups.js';
import { readHealth } from '../../src/operations/read-health.js';
import { readSystem } from '../../src/operations/read-system.js';
import {
  examination,
  listFindings,
  readLastExamination,
  startExamination,
} from '../../src/operations/start-examination.js';
import type { Actor } from '../../src/platform/actor.js';
import { mask } from '../../src/platform/config/secret-settings.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('System maintenance in the backoffice', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let ada: Actor;
  const seen = { host: 'localhost', referrer: '', isForwarded: false };

  const personOf = async (
    organization: TestOrganization,
    role: 'admin' | 'backoffice',
  ): Promise<Actor> => {
    const { id: userId } = await addUser(test, organization, role);
    const { organizationId } = organization.operator;
    return { kind: 'user', organizationId, userId, role };
  };

  beforeEach(async () => {
    test = await openTestApp({ mail: { host: '127.0.0.1', port: 9, password: 'pass-of-mail' } });
    acme = await addOrganization(test);
    ada = await personOf(acme, 'admin');
  });
  afterEach(() => test.close());

  it('is allowed only to admins of the first organization; others see the health of their own organization', async () => {
    const bo = await personOf(acme, 'backoffice');
    const eve = await personOf(await addOrganization(test, 'Evil'), 'admin');
    const doors: ((actor: Actor) => Promise<unknown>)[] = [
      (actor) => readSystem(test.app, actor, seen),
      (actor) => readLastExamination(test.app, actor),
      (actor) => listEffectiveSettings(test.app, actor),
      (actor) => listOwnBackups(test.app, actor),
      (actor) => startExamination(test.app, actor),
      (actor) => startBackup(test.app, actor),
    ];
    for (const open of doors) {
      for (const other of [bo, eve]) {
        await assert.rejects(open(other), { code: 'forbidden' });
      }
    }
    assert.equal(test.app.longWork.last(examination), undefined);
    assert.equal(test.app.longWork.last(backup), undefined);
    await assert.rejects(readHealth(test.app, bo), { code: 'forbidden' });
    const health = await readHealth(test.app, eve);
    assert.deepEqual(health.hosts, ['evil.example']);
    assert.deepEqual(
      health.withoutKey.map(({ name }) => name),
      ['Evil app'],
    );
    assert.equal(health.model, 'unreachable');
  });

  it('runs an examination in the background and keeps its findings', async () => {
    assert.deepEqual(await listFindings(test.app, ada), []);
    await startExamination(test.app, ada);
    await startExamination(test.app, ada);
    const work = test.app.longWork.last(examination);
    assert.equal(work?.isRunning, true);
    await work.ended;
    assert.equal(work.failure, undefined);
    const last = await readLastExamination(test.app, ada);
    const found = last?.checks.map(({ name }) => name) ?? [];
    for (const name of ['database', 'contents', 'clock', 'backup', 'keys of Acme app'])
      assert.ok(found.includes(name), name);
    const findings = await listFindings(test.app, ada);
    assert.ok(findings.some(({ name }) => name === 'keys of Acme app'));
    assert.ok(findings.every(({ status }) => status !== 'ok'));
  }).timeout(30_000);

  it('hides findings about organizations once there are several', async () => {
    const check = (name: string) => ({
      name,
      status: 'warning' as const,
      finding: 'x',
      remedy: null,
    });
    const checks = [check('organization Acme'), check('keys of Evil app')];
    const at = '2026-01-01T00:00:00.000Z';
    const kept = { status: 'warning' as const, checked_at: at, version: '1', checks };
    await keepExamination(test.app.config, kept);
    assert.equal((await listFindings(test.app, ada)).length, 2);
    const eve = await personOf(await addOrganization(test, 'Evil'), 'admin');
    assert.deepEqual(await listFindings(test.app, ada), []);
    assert.equal((await readLastExamination(test.app, ada))?.status, 'ok');
    assert.deepEqual(await listFindings(test.app, eve), []);
    assert.equal((await readExamination(test.app.config))?.checks.length, 2);
  });

  it('lists the settings with their values and origins, but without secrets', async () => {
    process.env['ASSISTANT_LOG_FORMAT'] = 'json';
    try {
      const settings = await listEffectiveSettings(test.app, ada);
      const of = (path: string) => settings.find((one) => one.path === path);
      assert.equal(of('mail.password')?.value, mask);
      assert.equal(of('mail.password')?.isDefault, false);
      assert.equal(of('answers.max_passages')?.from, 'default');
      assert.equal(of('log.format')?.from, 'environment');
      assert.ok(!JSON.stringify(settings).includes('pass-of-mail'));
    } finally {
      delete process.env['ASSISTANT_LOG_FORMAT'];
    }
  });

  it('creates only one backup at a time and records who started it', async () => {
    assert.deepEqual(await listOwnBackups(test.app, ada), []);
    await startBackup(test.app, ada);
    await startBackup(test.app, ada);
    await test.app.longWork.last(backup)?.ended;
    const [made, ...more] = await listOwnBackups(test.app, ada);
    assert.equal(made?.problem, undefined);
    assert.equal(made?.verifiedAt, null);
    assert.deepEqual(more, []);
    const { items } = await listChanges(test.app, acme.operator, {
      ...{ action: 'backup.create', page: 1, limit: 10 },
    });
    assert.deepEqual(
      items.map(({ actor }) => actor),
      [`user:${'userId' in ada ? ada.userId : ''}`],
    );
  });

  it('refuses a backup if there are several organizations', async () => {
    await addOrganization(test, 'Evil');
    await assert.rejects(startBackup(test.app, ada), { code: 'forbidden', message: /every org/ });
    assert.deepEqual(await listOwnBackups(test.app, ada), []);
  });
});
