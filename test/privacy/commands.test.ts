import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import {
  makeInitialized,
  startHost,
  type Host,
  type TestInstallation,
} from '../support/run-cli.js';

describe('The commands for personal data', () => {
  let installation: TestInstallation;
  let host: Host;
  const password = { ASSISTANT_PASSWORD: 'correct horse battery' };

  before(async () => {
    installation = await makeInitialized();
    host = startHost(installation);
    await host.run(
      ['users', 'create', '--email', 'grace@acme.example', '--name', 'Grace'],
      password,
    );
  });
  after(async () => {
    await host.stop();
    await installation.remove();
  });

  const file = (name: string) => join(installation.folder, name);

  it('write a person’s data to a new file that only its owner may read', async () => {
    const args = ['people', 'export', 'grace@acme.example', '--out', 'grace.zip'];
    const done = await host.json<{ person: string; out: string; rows: object }>(args);
    assert.match(done.person, /^user:\d+$/);
    assert.ok('users' in done.rows);
    assert.equal(statSync(file('grace.zip')).mode & 0o777, 0o600);
    const users = unzipSync(readFileSync(file('grace.zip')))['users.json'];
    assert.match(strFromU8(users ?? new Uint8Array()), /grace@acme\.example/);
    const again = await host.run(args);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /grace\.zip can't be created .* Name a new file/);
  });

  it('refuse an unknown or invalid person, and leave no file behind', async () => {
    for (const [name, code] of [
      ['nobody@acme.example', 3],
      ['user:987', 3],
      ['Grace', 2],
    ] as const) {
      const done = await host.run(['people', 'export', name, '--out', 'nobody.zip']);
      assert.equal(done.code, code, done.stderr);
      assert.throws(() => statSync(file('nobody.zip')), name);
    }
  });

  it('count with --dry-run, ask before they erase, and refuse the last admin', async () => {
    const erase = ['people', 'erase', 'grace@acme.example'];
    const counted = await host.json<{ dry_run: boolean; rows: Record<string, number> }>([
      ...erase,
      '--dry-run',
    ]);
    assert.deepEqual([counted.dry_run, counted.rows['users']], [true, 1]);
    const unasked = await host.run(erase);
    assert.equal(unasked.code, 2);
    const done = await host.run([...erase, '--yes']);
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /Erased user:\d+:\n(?: {2}\w+: \d+\n)+/);
    assert.match(done.stderr, /Backups and copies made before a migration still hold it/);
    assert.equal((await host.run([...erase, '--yes'])).code, 3);
    const last = await host.run(['people', 'erase', 'ada@acme.example', '--yes']);
    assert.equal(last.code, 4, last.stderr);
  });

  it('set the retention days of an organization, and show where the days come from', async () => {
    const set = ['orgs', 'retention', '--set', 'conversations=365', '--set', 'usage=1'];
    const rehearsed = await host.json<{ dry_run: boolean }>([...set, '--dry-run']);
    assert.equal(rehearsed.dry_run, true);
    const done = await host.run(set);
    assert.match(done.stdout, /^conversations +365 days$/m);
    assert.match(done.stdout, /^usage +1 day$/m);
    assert.match(done.stdout, /^audit +for ever \(configuration\)$/m);
    const back = await host.json<Record<string, object>>([
      'orgs',
      'retention',
      '--set',
      'usage=default',
    ]);
    assert.deepEqual(back['usage'], { days: 0, own: false });
    assert.deepEqual(back['conversations'], { days: 365, own: true });
    const environment = { ASSISTANT_PRIVACY_RETENTION: 'usage=30,audit=400' };
    const configured = await host.json<Record<string, object>>(['orgs', 'retention'], environment);
    assert.deepEqual(configured['usage'], { days: 30, own: false });
    for (const wrong of ['conversation=3', 'audit=x', 'audit=-1', 'audit', 'audit=99999']) {
      const refused = await host.run(['orgs', 'retention', '--set', wrong]);
      assert.equal(refused.code, 2, wrong);
    }
    const typo = await host.run(['orgs', 'retention', '--set', 'conversation=3']);
    assert.match(typo.stderr, /conversations/);
  });
});
