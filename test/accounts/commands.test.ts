import assert from 'node:assert/strict';
import { callApi } from '../support/api-client.js';
import { hosted, makeInitialized, type TestInstallation } from '../support/run-cli.js';

interface UserBody {
  id: number;
  email: string;
  role: string;
  disabled: boolean;
}

describe('The commands for people and tokens', () => {
  let installation: TestInstallation;
  const password = { ASSISTANT_PASSWORD: 'long enough pw' };

  before(async () => {
    installation = hosted(await makeInitialized());
    const args = ['users', 'create', '--email', 'bea@acme.example'];
    assert.equal((await installation.run(args, { env: password })).code, 0);
  });
  after(() => installation.remove());

  const listed = async () =>
    (await installation.json<{ data: UserBody[] }>(['users', 'list', '--json'])).data;
  const bea = async () => (await listed()).find(({ email }) => email.startsWith('bea@'));

  it('list, edit, disable and enable users', async () => {
    const { code, stdout } = await installation.run(['users', 'list', '--role', 'user']);
    assert.equal(code, 0);
    assert.match(stdout, /bea@acme\.example/);
    const edit = ['users', 'edit', 'BEA@acme.example', '--role', 'backoffice'];
    assert.equal((await installation.run(edit)).code, 0);
    assert.equal((await bea())?.role, 'backoffice');
    assert.equal(
      (await installation.run(['users', 'disable', 'bea@acme.example', '--yes'])).code,
      0,
    );
    assert.equal((await bea())?.disabled, true);
    assert.equal((await installation.run(['users', 'enable', 'bea@acme.example'])).code, 0);
    assert.equal((await bea())?.disabled, false);
    const reset = ['users', 'reset-password', 'bea@acme.example'];
    assert.equal((await installation.run(reset, { env: password })).code, 0);
  });

  it('exit with 2 for a missing value, 3 for an unknown name, and 4 for the last admin', async () => {
    const admin = (await listed()).find(({ role }) => role === 'admin')?.email ?? '';
    for (const [args, expected] of [
      [['users', 'edit', 'bea@acme.example'], 2],
      [['users', 'reset-password', 'bea@acme.example'], 2],
      [['users', 'delete', 'bea@acme.example'], 2],
      [['tokens', 'revoke', 'x'], 3],
      [['tokens', 'rotate-key', '--retire-old'], 2],
      [['users', 'disable', 'nobody@acme.example'], 3],
      [['tokens', 'revoke', '999'], 3],
      [['users', 'disable', admin, '--yes'], 4],
      [['users', 'delete', admin, '--yes'], 4],
    ] as const) {
      const { code, stdout } = await installation.run([...args]);
      assert.deepEqual([code, stdout], [expected, ''], args.join(' '));
    }
  });

  it('revoke tokens and retire keys, which a running server refuses at once', async () => {
    const mint = async (name: string) =>
      (
        await installation.json<{ token: string }>([
          ...['tokens', 'create', '--user', 'bea@acme.example', '--name', name, '--json'],
        ])
      ).token;
    const [one, other] = [await mint('one'), await mint('other')];
    const server = installation.start(['serve', '--port', '0', '--json']);
    const url = (await server.until(/"url":\s*"([^"]+)"/))[1] ?? '';
    const statusOf = async (token: string) => (await callApi(`${url}/api/me`, { token })).status;
    assert.deepEqual([await statusOf(one), await statusOf(other)], [200, 200]);

    const tokens = await installation.json<{ data: { id: number; name: string }[] }>([
      ...['tokens', 'list', '--json'],
    ]);
    const id = tokens.data.find(({ name }) => name === 'one')?.id;
    assert.equal((await installation.run(['tokens', 'revoke', String(id), '--yes'])).code, 0);
    assert.deepEqual([await statusOf(one), await statusOf(other)], [401, 200]);

    assert.equal((await installation.run(['tokens', 'rotate-key'])).code, 0);
    assert.equal(await statusOf(other), 200);
    const retire = ['tokens', 'rotate-key', '--retire-old', '--yes'];
    assert.equal((await installation.run(retire)).code, 0);
    assert.equal(await statusOf(other), 401);
    assert.equal(await statusOf(await mint('after')), 200);

    server.child.kill('SIGTERM');
    assert.equal((await server.ended).code, 0);
  });

  it('delete a user', async () => {
    const { code } = await installation.run(['users', 'delete', 'bea@acme.example', '--yes']);
    assert.equal(code, 0);
    assert.equal(await bea(), undefined);
  });
});
