import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordChange } from '../../src/audit/record-change.js';
import { createBackup } from '../../src/operations/backup/create-backup.js';
import { presentChecks, doctorReply } from '../../src/operations/doctor.schema.js';
import { examine, examineProgram } from '../../src/operations/examine.js';
import { examineConfiguration, rightsRemedy } from '../../src/operations/examine-files.js';
import { examineMail } from '../../src/operations/examine-settings.js';
import { withDatabase } from '../../src/operations/with-database.js';
import { systemClock } from '../../src/platform/clock.js';
import { configSchema } from '../../src/platform/config/schema.js';
import { createWidgetKey, revokeWidgetKey } from '../../src/federation/manage-widget-keys.js';
import { startMailServer } from '../support/receivers.js';
import { storeEntry } from '../support/stored-entry.js';
import { addOrganization, onSqlite, openTestApp, type TestApp } from '../support/test-app.js';

describe('`assistant doctor`', () => {
  let test: TestApp;
  beforeEach(async () => (test = await openTestApp()));
  afterEach(() => test.close());

  const checksOf = async (name: string) => {
    const checks = await examine(test.app.config, undefined, { quick: true });
    const reply = presentChecks(checks, '2026-01-01T00:00:00.000Z', '1.0.0');
    return doctorReply.parse(reply).checks.filter((check) => check.name === name);
  };

  it('reports the worst status of its checks, in the documented JSON', () => {
    const check = (status: 'ok' | 'warning' | 'failed') => ({ name: 'x', status, finding: 'y' });
    const at = '2026-01-01T00:00:00.000Z';
    const reply = presentChecks([check('ok'), check('failed'), check('warning')], at, '1.0.0');
    assert.equal(doctorReply.parse(reply).status, 'failed');
    assert.equal(presentChecks([check('ok')], at, '1').status, 'ok');
    assert.equal(presentChecks([check('warning'), check('ok')], at, '1').status, 'warning');
    assert.equal(reply.checks[0]?.remedy, null);
  });

  it('names a part of the program that is missing, and no command for the rights on files', async () => {
    const missing = new Error('Knex: run\n$ npm install sqlite3 --save\nCould not locate …');
    const [check] = await withDatabase(test.app.config, () => Promise.reject(missing));
    assert.match(check?.finding ?? '', /^A part of the program is missing, .*npm install/);
    assert.equal(check?.remedy, undefined);
    assert.deepEqual(await examineProgram(), []);
    const unloaded = new Error('Cannot find native binding. npm has a bug: @node-rs/argon2');
    const [program] = await examineProgram(() => Promise.reject(unloaded));
    assert.match(program?.finding ?? '', /missing, .* \(@node-rs\/argon2\)\. Install it again/);
    assert.equal(program?.status, 'failed');
  });

  it('warns if knowledge has no backup, or only one that is older than a week or from the future', async () => {
    assert.equal((await checksOf('organization'))[0]?.status, 'failed');
    const organization = await addOrganization(test);
    assert.equal((await checksOf('backup'))[0]?.status, 'ok');
    await storeEntry(test, organization, { title: 'Hours', content: 'Open at nine.' });
    const [missed] = await checksOf('backup');
    assert.equal(missed?.status, 'warning');
    assert.match(missed.remedy ?? '', /assistant backup/);
    const { config } = test.app;
    const backUp = (days: number) => {
      const now = () => new Date(Date.now() + days * 86_400_000);
      const clock = { ...systemClock, now };
      return createBackup({ config, clock }, { configFile: undefined });
    };
    await backUp(-8);
    assert.equal((await checksOf('backup'))[0]?.status, 'warning');
    await backUp(0);
    assert.equal((await checksOf('backup'))[0]?.status, 'ok');
    // A backup from the future would look new for years.
    await backUp(400);
    const [future] = await checksOf('backup');
    assert.equal(future?.status, 'warning');
    assert.match(future.finding, /is yet to come .* so the clock was wrong/);
  });

  it('warns if the clock is behind the last recorded change', async () => {
    const { operator } = await addOrganization(test);
    assert.equal((await checksOf('clock'))[0]?.status, 'ok');
    const later = { ...systemClock, now: () => new Date(Date.now() + 3_600_000) };
    await recordChange({ ...test.app, clock: later }, operator, {
      ...{ organizationId: operator.organizationId, action: 'app.update', subject: 'app:1' },
    });
    const [behind] = await checksOf('clock');
    assert.equal(behind?.status, 'warning');
    assert.match(behind.finding, /but the last change was made at/);
  });

  it('names each app without a valid widget key', async () => {
    const { operator, appId } = await addOrganization(test);
    const name = 'keys of Acme app';
    assert.equal((await checksOf(name))[0]?.finding, 'there is none');
    const made = await createWidgetKey(test.app, operator, { appId, kind: 'public', name: 'Docs' });
    assert.deepEqual(await checksOf(name), []);
    await revokeWidgetKey(test.app, operator, made.key.id);
    const [revoked] = await checksOf(name);
    assert.equal(revoked?.finding, 'all are revoked');
    assert.match(revoked.remedy ?? '', new RegExp(`keys create --app ${appId}`));
  });

  it('adds --org to its commands for all organizations but the first', async () => {
    const acme = await addOrganization(test);
    const [alone] = await checksOf('keys of Acme app');
    assert.match(alone?.remedy ?? '', new RegExp(`--app ${acme.appId}$`));
    const globex = await addOrganization(test, 'Globex');
    const [one] = await checksOf('keys of Globex app');
    assert.match(one?.remedy ?? '', new RegExp(`--app ${globex.appId} --org globex$`));
  });

  onSqlite(it)(
    'names the first and the last migration of an empty database, not all of them',
    async () => {
      const config = { ...test.app.config, database: { ...test.app.config.database } };
      config.database.path = join(test.folder, 'empty.sqlite');
      await writeFile(config.database.path, '');
      const found = await examine(config, undefined, { quick: true });
      const finding = found.find(({ name }) => name === 'migrations')?.finding ?? '';
      assert.match(finding, /^pending: 0001-create-organizations … \d{4}-[a-z\d-]+\+? \(\d\d\)$/);
    },
  );

  onSqlite(it)('suggests restoring a backup only for a damaged database', async () => {
    await addOrganization(test);
    const { path } = test.app.config.database;
    await test.app.db.write('schema_migrations').insert({ name: '9999-later', batch: 9 });
    const [newer] = await checksOf('database');
    assert.match(newer?.finding ?? '', /newer version/);
    assert.match(newer?.remedy ?? '', /^Upgrade this program/);
    const { remedy, values } = await rightsRemedy(test.folder, path);
    assert.equal(remedy, `Let this user read and write it: ${values?.['command']}`);
    assert.match(remedy, /: chmod -R u\+rwX /);
    const config = { ...test.app.config, database: { ...test.app.config.database } };
    config.database.path = join(test.folder, 'damaged.sqlite');
    await writeFile(config.database.path, 'no database at all');
    const found = (await examine(config, undefined, { quick: true })).find(
      ({ name }) => name === 'database',
    );
    assert.match(found?.remedy ?? '', /assistant restore/);
  });

  onSqlite(it)(
    'warns if every user of the machine can read the database, or secrets in the configuration',
    async () => {
      const file = join(test.folder, 'config.yaml');
      await writeFile(file, 'mail:\n  password: hunter2-hunter2\n');
      await chmod(file, 0o644);
      assert.equal((await examineConfiguration(file)).status, 'ok', 'its folder is private');
      await chmod(test.folder, 0o755);
      const open = await examineConfiguration(file);
      assert.equal(open.status, 'warning');
      assert.equal(open.remedy, `Keep it to its owner: chmod 600 ${file}`);
      assert.doesNotMatch(open.finding, /hunter2/);
      await chmod(test.app.config.database.path, 0o644);
      assert.match((await checksOf('file rights'))[0]?.finding ?? '', /test\.sqlite$/);
      await writeFile(file, 'mail:\n  host: mail.acme.example\n');
      assert.equal((await examineConfiguration(file)).status, 'ok', 'there is no secret in it');
    },
  );

  it('tries the mail server, and names the settings to correct if that fails', async () => {
    const mail = await startMailServer({ signIn: () => new Error('wrong') });
    const checked = async (settings: object) => {
      const config = configSchema.parse({ mail: { ...mail.mail, timeout_ms: 5000, ...settings } });
      return (await examineMail(config))[0];
    };
    try {
      assert.equal((await checked({}))?.status, 'ok');
      assert.equal(await checked({ host: '' }), undefined);
      const signedIn = await checked({ user: 'ada', password: 'wrong' });
      assert.match(signedIn?.remedy ?? '', /mail\.user and the password/);
      assert.equal(signedIn?.status, 'failed');
      const encrypted = await checked({ security: 'tls' });
      assert.equal(encrypted?.status, 'failed');
      assert.match(encrypted.remedy ?? '', /mail\.security/);
    } finally {
      await mail.close();
    }
    const gone = await checked({});
    assert.equal(gone?.status, 'failed');
    assert.match(gone.remedy ?? '', /mail\.host, mail\.port/);
  });
});
