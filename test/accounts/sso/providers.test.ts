import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { insertIdentity } from '../../../src/accounts/providers/identities.repository.js';
import { createProvider, updateProvider } from '../../../src/accounts/sso/manage-providers.js';
import { callApi } from '../../support/api-client.js';
import {
  clientId,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../support/identity-provider.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';

interface ProviderBody {
  id: number;
  name: string;
  has_client_secret: boolean;
  disabled: boolean;
  code: string;
  errors: { path: string }[];
}

interface Findings {
  ok: boolean;
  problems: string[];
  redirect_uri: string | null;
  end_session_endpoint: string | null;
}

describe('Identity providers', () => {
  let test: TestApp & { url: string };
  let idp: TestIdentityProvider;
  let acme: TestOrganization;
  let admin: TestUser;
  let base: string;
  const publicUrl = 'https://assistant.example.com/help/';

  before(async () => {
    test = await serveTestApp({ sso: { allow_private: true }, server: { public_url: publicUrl } });
    idp = await startIdentityProvider('https://assistant.example.com/help/api/auth/sso/callback');
    base = `${test.url}/api/admin/identity-providers`;
  });
  beforeEach(async () => {
    await test.app.db.write('organizations').delete();
    acme = await addOrganization(test);
    admin = await addUser(test, acme, 'admin');
    idp.spoil.clear();
  });
  after(async () => {
    await idp.close();
    await test.close();
  });

  const fields = (more: object = {}) => ({
    ...{ name: 'acme', issuer: idp.issuer, client_id: clientId, client_secret: 'very secret' },
    ...more,
  });
  const create = (more: object = {}, token = admin.token) =>
    callApi<ProviderBody>(base, { token, body: fields(more) });
  const call = <T = ProviderBody>(method: string, id: number, body?: object) =>
    callApi<T>(`${base}/${id}`, { method, token: admin.token, ...(body && { body }) });
  const check = async (id: number) =>
    (
      await callApi<Findings>(`${base}/${id}/check`, {
        method: 'POST',
        token: admin.token,
      })
    ).body;
  const rules = (on?: boolean) =>
    callApi<{ password_sign_in: boolean; code: string }>(`${test.url}/api/admin/sign-in-rules`, {
      token: admin.token,
      ...(on === undefined ? {} : { method: 'PUT', body: { password_sign_in: on } }),
    });
  const logIn = ({ email, password }: TestUser) =>
    callApi(`${test.url}/api/auth/login`, { body: { email, password } });

  it('are created, edited and deleted by admins, who never see the secret again', async () => {
    const made = await create({ allowed_domains: ['ACME.example'], scopes: ['groups'] });
    assert.equal(made.status, 201);
    const shown = await call('GET', made.body.id);
    assert.deepEqual(shown.body, made.body);
    assert.equal(shown.body.has_client_secret, true);
    assert.ok(!JSON.stringify(shown.body).includes('very secret'));
    const changed = await call('PUT', made.body.id, { client_secret: null, disabled: true });
    assert.deepEqual(
      [changed.body.has_client_secret, changed.body.disabled, changed.body.name],
      [false, true, 'acme'],
    );
    assert.equal((await call('DELETE', made.body.id)).status, 204);
    assert.equal((await call('GET', made.body.id)).status, 404);
    const log = JSON.stringify(await test.app.db.read('audit_log').select('*'));
    for (const verb of ['create', 'update', 'delete']) {
      assert.ok(log.includes(`identity_provider.${verb}`));
    }
    assert.ok(!log.includes('very secret'));
  });

  it('belong to one organization, and only its admins see and change them', async () => {
    const { id } = (await create()).body;
    const backoffice = await addUser(test, acme, 'backoffice');
    assert.equal((await create({}, backoffice.token)).status, 403);
    const globex = await addOrganization(test, 'Globex');
    const stranger = await addUser(test, globex, 'admin');
    const seen = await callApi(`${base}/${id}`, { token: stranger.token });
    assert.equal(seen.status, 404);
    assert.equal((await create({}, stranger.token)).status, 201);
    assert.equal((await create()).body.code, 'conflict');
  });

  it('are refused with every invalid field at once', async () => {
    const { status, body } = await create({
      ...{ name: 'Not A Name', issuer: 'http://login.example.com', scopes: ['a b'] },
      ...{ allowed_domains: ['a@b'], role_mapping: [{ value: 'x', role: 'admin' }] },
    });
    assert.equal(status, 400);
    assert.deepEqual(
      body.errors.map(({ path }) => path),
      ['name', 'issuer', 'scopes', 'allowed_domains', 'role_mapping'],
    );
    for (const domain of [
      ...['*.acme.example', 'acme.example.', '.acme.example', 'acme..example'],
      ...['münchen.example', 'ac\u212ae.example'],
    ]) {
      const { errors } = (await create({ allowed_domains: [domain] })).body;
      assert.deepEqual(errors[0]?.path, 'allowed_domains', 'can never match');
    }
    const shared = 'https://login.microsoftonline.com';
    for (const issuer of [
      ...[`${idp.issuer}/.well-known/openid-configuration`, `${idp.issuer}/#`, `${idp.issuer}?`],
      ...[`${shared}/common/v2.0`, `${shared}/organizations/v2.0`, `${shared}/{tenantid}/v2.0`],
    ]) {
      assert.deepEqual((await create({ issuer })).body.errors[0]?.path, 'issuer', issuer);
    }
    assert.equal((await create({ issuer: `${shared}/7d1b-a-tenant/v2.0` })).status, 201);
  });

  it('require the secret again with a new issuer, because it is sent there', async () => {
    const { id } = (await create()).body;
    const issuer = 'https://evil.example';
    assert.deepEqual((await call('PUT', id, { issuer })).body.errors[0]?.path, 'client_secret');
    assert.equal((await call('PUT', id, { issuer, client_secret: 'new' })).status, 200);
  });

  it('pass their check, which shows the address to register', async () => {
    const { id } = (await create({ default_role: 'user' })).body;
    assert.deepEqual(await check(id), {
      ...{ ok: true, problems: [] },
      redirect_uri: `https://assistant.example.com/help/api/auth/sso/callback/${id}`,
      authorization_endpoint: `${idp.issuer}/auth`,
      end_session_endpoint: `${idp.issuer}/session/end`,
    });
  });

  it('fail their check with a sentence for each problem', async () => {
    const { id } = (await create({ default_role: 'user', scopes: ['openid', 'email'] })).body;
    const problem = async () => (await check(id)).problems.join(' ');
    const spoil = (change: object) =>
      idp.spoil.set('/.well-known/openid-configuration', (body) => ({ ...body, ...change }));
    spoil({ issuer: 'https://other.example' });
    assert.match(await problem(), /issuer/);
    spoil({ jwks_uri: undefined });
    assert.match(await problem(), /names no jwks_uri/);
    spoil({ code_challenge_methods_supported: ['plain'], scopes_supported: ['openid'] });
    assert.match(await problem(), /PKCE with S256.*does not know the scopes email/);
    spoil({ response_types_supported: ['id_token'] });
    assert.match(await problem(), /authorization code flow/);
    idp.spoil.clear();
    idp.spoil.set('/jwks', () => ({ keys: [] }));
    assert.match(await problem(), /keys .* are none/);
    idp.spoil.clear();
    // Older versions stored such an issuer.
    const store = (issuer: string) =>
      test.app.db.write('identity_providers').where({ id }).update({ issuer });
    await store('https://login.microsoftonline.com/common/v2.0');
    assert.match(await problem(), /address of one tenant/);
    await store(idp.issuer);
    await updateProvider(test.app, acme.operator, id, { defaultRole: null });
    assert.match(await problem(), /neither a default role nor a role mapping/);
    await updateProvider(test.app, acme.operator, id, {
      ...{ issuer: 'http://127.0.0.1:9', clientSecret: null },
    });
    assert.match(await problem(), /ECONNREFUSED|could not be asked/);
    assert.doesNotMatch(await problem(), /\.\.$/m);
  });

  it('are requested on public addresses only, unless the operator allows private ones', async () => {
    const strict = {
      ...test.app,
      config: {
        ...test.app.config,
        sso: { ...test.app.config.sso, allow_private: false, timeout_ms: 1000 },
      },
    };
    const made = { name: 'x', issuer: 'https://127.0.0.1:9', clientId };
    await assert.rejects(createProvider(strict, acme.operator, made), { code: 'invalid_request' });
    // A name that resolves to a private address is refused on connecting.
    const { id } = await createProvider(strict, acme.operator, {
      ...made,
      issuer: 'https://login.example.com',
    });
    assert.ok(id > 0);
    let asked = 0;
    const inside = createServer((_request, response) => {
      asked++;
      response.end();
    });
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    const { port } = inside.address() as AddressInfo;
    const { openBoundedFetch } =
      await import('../../../src/accounts/providers/connect-provider.js');
    const bounded = await openBoundedFetch(strict);
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      await assert.rejects(bounded.fetch(`http://${host}:${port}/`, {}));
    }
    await bounded.close();
    inside.close();
    assert.equal(asked, 0);
  });

  it('return only to addresses below the public path, where the cookie is sent', async () => {
    await create({ default_role: 'user' });
    const start = (return_to: string) => {
      const asked = { provider: 'acme', code_challenge: 'c'.repeat(43), return_to };
      const query = new URLSearchParams(asked).toString();
      return fetch(`${test.url}/api/auth/sso/start?${query}`, { redirect: 'manual' });
    };
    for (const other of ['/backoffice', '/help', '/other/backoffice', '/help/../backoffice']) {
      assert.equal((await start(other)).status, 400, other);
    }
    const { status, headers } = await start('/help/backoffice/users');
    assert.equal(status, 302);
    assert.match(
      headers.get('set-cookie') ?? '',
      /^assistant_sign_in=[\w-]{43}; Path=\/help\/api\/auth\/sso; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it('limit made-up answers from one address', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) {
      const address = `${test.url}/api/auth/sso/callback/1?code=x&state=made-up-${i}`;
      statuses.push((await fetch(address, { redirect: 'manual' })).status);
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
  });

  it('can be the only way to sign in, which refuses passwords and ends sessions that they opened', async () => {
    assert.equal((await rules(false)).body.code, 'conflict');
    const { id } = (await create()).body;
    const before = await logIn(admin);
    assert.equal(before.status, 200);
    assert.equal((await rules(false)).body.code, 'conflict', 'no admin has signed in by it');
    const key = { providerId: id, issuer: idp.issuer, subject: 'admin' };
    await insertIdentity(test.app, admin.id, key);
    assert.equal((await rules(false)).status, 200);
    assert.equal((await rules()).body.password_sign_in, false);
    const { status, body } = await logIn(admin);
    assert.deepEqual([status, body.code], [403, 'password_sign_in_off']);
    assert.equal((await logIn({ ...admin, password: 'wrong' })).body.code, 'unauthenticated');
    const { refreshToken } = before.body as unknown as { refreshToken: string };
    const refreshed = await callApi(`${test.url}/api/auth/refresh`, { body: { refreshToken } });
    assert.equal(refreshed.status, 401);
    assert.equal((await call('DELETE', id)).status, 409);
    assert.equal((await call('PUT', id, { disabled: true })).status, 409);
    assert.equal((await rules(true)).status, 200);
    assert.equal((await logIn(admin)).status, 200);
    const revived = await callApi(`${test.url}/api/auth/refresh`, { body: { refreshToken } });
    assert.equal(revived.status, 401);
  });
});
