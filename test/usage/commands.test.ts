import assert from 'node:assert/strict';
import { hosted, makeInitialized, type TestInstallation } from '../support/run-cli.js';

interface Listed<T> {
  data: T[];
  pagination: { total: number };
}

describe('The commands usage and audit', () => {
  let installation: TestInstallation;

  before(async () => {
    installation = hosted(await makeInitialized());
    assert.equal((await installation.run(['ask', 'Who painted the Mona Lisa?'])).code, 0);
    const args = ['users', 'create', '--email', 'bea@acme.example'];
    const env = { ASSISTANT_PASSWORD: 'long enough pw' };
    assert.equal((await installation.run(args, { env })).code, 0);
  });
  after(() => installation.remove());

  it('show the usage and who pays for it', async () => {
    const { code, stdout, stderr } = await installation.run(['usage', '--by', 'channel']);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^channel +messages +units +paid by organization +by users\ncli +1 +1 +1 +0\n$/,
    );
    assert.match(stderr, /1 messages, 1 units/);
    const report = await installation.json<Listed<object> & { totals: object }>([
      ...['usage', '--by', 'day,channel', '--from', '2026-01-01'],
    ]);
    assert.equal(report.pagination.total, 1);
    assert.deepEqual(report.totals, {
      ...{ messages: 1, units: 1, paid_by_organization: 1, paid_by_users: 0 },
    });
    const ofWidgets = await installation.json<Listed<object>>(['usage', '--channel', 'widget']);
    assert.deepEqual(ofWidgets.data, []);
  });

  it('show filtered changes with their actors', async () => {
    const changes = ['audit', 'list', '--action', 'user', '--actor', 'operator'];
    const { data } =
      await installation.json<Listed<{ action: string; after: { email: string } }>>(changes);
    assert.deepEqual([data[0]?.action, data[0]?.after.email], ['user.create', 'bea@acme.example']);
    const { code, stdout } = await installation.run(changes);
    assert.equal(code, 0);
    assert.match(stdout, /operator +user\.create +user:\d+ .*bea@/);
    const none = await installation.json<Listed<object>>([
      'audit',
      'list',
      '--subject',
      'user:999',
    ]);
    assert.deepEqual(none.data, []);
  });

  it('end with code 2 for an invalid day, period or group', async () => {
    for (const args of [
      ['usage', '--from', '2026-02-30'],
      ['usage', '--from', '2026-03-02', '--to', '2026-03-01'],
      ['usage', '--by', 'day,month'],
      ['audit', 'list', '--to', 'today'],
    ]) {
      const { code, stdout } = await installation.run(args);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    }
  });
});
