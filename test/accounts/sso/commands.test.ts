import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  clientId,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../support/identity-provider.js';
import {
  makeInitialized,
  startHost,
  type Host,
  type TestInstallation,
} from '../../support/run-cli.js';

interface Provider {
  name: string;
  scopes: string[];
  allowed_domains: string[];
  role_claim: string | null;
  role_mapping: { value: string; role: string }[];
  default_role: string | null;
  has_client_secret: boolean;
  disabled: boolean;
}

describe('assistant sso', () => {
  let installation: TestInstallation;
  let host: Host;
  let idp: TestIdentityProvider;
  const env = { ASSISTANT_SSO_ALLOW_PRIVATE: 'true' };

  before(async () => {
    installation = await makeInitialized();
    host = startHost(installation);
    idp = await startIdentityProvider('http://127.0.0.1/api/auth/sso/callback');
    await writeFile(join(installation.folder, 'secret'), 'a-secret\n', { mode: 0o600 });
  });
  after(async () => {
    await host.stop();
    await idp.close();
    await installation.remove();
  });

  const json = (...args: string[]) => host.json<Provider>(['sso', ...args], env);
  const run = (...args: string[]) => host.run(['sso', ...args], env);

  it('creates a provider with its rules, and shows it without its secret', async () => {
    const made = await json(
      ...['create', '--name', 'acme', '--issuer', idp.issuer, '--client-id', clientId],
      ...['--client-secret-file', 'secret', '--scopes', 'email,groups'],
      ...['--allowed-domains', 'acme.example, acme.test', '--role-claim', 'groups'],
      ...['--map-role', 'cn=owners,ou=x=admin', '--map-role', 'w=backoffice'],
      ...['--default-role', 'user'],
    );
    assert.deepEqual(made.scopes, ['openid', 'email', 'groups']);
    assert.deepEqual(made.allowed_domains, ['acme.example', 'acme.test']);
    assert.deepEqual(made.role_mapping, [
      { value: 'cn=owners,ou=x', role: 'admin' },
      { value: 'w', role: 'backoffice' },
    ]);
    assert.deepEqual(await json('show', 'acme'), made);
    const { stdout } = await run('show', 'acme');
    assert.match(stdout, /cn=owners,ou=x → admin, w → backoffice/);
    assert.ok(!(stdout + JSON.stringify(made)).includes('a-secret'));
  });

  it('edits only the given options, and clears an option with “none” or an empty value', async () => {
    assert.equal((await run('edit', 'acme')).code, 2);
    const edited = await json('edit', 'acme', '--role-claim', 'none', '--allowed-domains', '');
    assert.deepEqual(
      [edited.role_claim, edited.role_mapping, edited.allowed_domains, edited.default_role],
      [null, [], [], 'user'],
    );
    assert.equal((await json('edit', 'acme', '--public-client')).has_client_secret, false);
    const rehearsed = await json('edit', 'acme', '--disable', '--dry-run');
    assert.equal(rehearsed.disabled, true);
    assert.equal((await json('show', 'acme')).disabled, false);
  });

  it('reports the problems of a provider, and exits with 1', async () => {
    const lacking = await run('check', 'acme');
    assert.equal(lacking.code, 1);
    assert.match(lacking.stdout, /server\.public_url is not set/);
    const publicUrl = { ASSISTANT_SERVER_PUBLIC_URL: 'https://assistant.acme.example' };
    const fine = await host.run(['sso', 'check', 'acme'], { ...env, ...publicUrl });
    assert.equal(fine.code, 0, fine.stdout);
    assert.match(
      fine.stdout,
      /Register at .*: https:\/\/assistant\.acme\.example\/api\/auth\/sso\/callback\/\d+$/m,
    );
    const options = ['--issuer', idp.issuer, '--client-id', clientId, '--public-client'];
    const create = ['sso', 'create', '--name', 'second', ...options, '--dry-run'];
    const made = await host.run(create, { ...env, ...publicUrl });
    assert.match(
      made.stdout,
      /Register at .*: https:\/\/assistant\.acme\.example\S+\/callback\/\d+$/m,
    );
  });

  it('disables sign-in by password only with a provider, and enables it again', async () => {
    const early = await run('passwords', 'off');
    assert.deepEqual([early.code, /No active admin has signed in/.test(early.stderr)], [4, true]);
    assert.equal((await run('passwords', 'off', '--force')).code, 0);
    assert.match((await run('list')).stderr, /by password is off/);
    assert.equal((await run('delete', 'acme', '--yes')).code, 4);
    assert.equal((await run('passwords', 'maybe')).code, 2);
    assert.equal((await run('passwords', 'on')).code, 0);
    assert.equal((await run('delete', 'acme', '--yes')).code, 0);
    assert.equal((await run('passwords', 'off')).code, 4);
    const { code, stderr } = await run('show', 'acme');
    assert.deepEqual([code, /There is no identity provider acme/.test(stderr)], [3, true]);
  });

  it('refuses to unlink the identity of a user who never used a provider', async () => {
    const args = ['users', 'unlink-identity', 'ada@acme.example', '--yes'];
    const { code, stderr } = await host.run(args, env);
    assert.equal(code, 4);
    assert.match(stderr, /never signed in by an identity provider/);
  });

  it('refuses to reset the second factor of a user who has none', async () => {
    const args = ['users', 'reset-two-factor', 'ada@acme.example', '--yes'];
    const { code, stderr } = await host.run(args, env);
    assert.equal(code, 4);
    assert.match(stderr, /has no second factor/);
  });
});
