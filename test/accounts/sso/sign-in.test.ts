import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { insertIdentity } from '../../../src/accounts/providers/identities.repository.js';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resetPassword, updateUser } from '../../../src/accounts/users/manage-users.js';
import {
  createProvider,
  setPasswordSignIn,
  updateProvider,
} from '../../../src/accounts/sso/manage-providers.js';
import type { ProviderChange } from '../../../src/accounts/providers/provider.js';
import { challengeOf } from '../../../src/accounts/providers/single-use.js';
import { unlinkIdentity } from '../../../src/accounts/sso/unlink-identity.js';
import { callApi } from '../../support/api-client.js';
import {
  clientId,
  clientSecret,
  idTokenSeconds,
  pressButton,
  startIdentityProvider,
  type TestIdentityProvider,
  type TestPerson,
} from '../../support/identity-provider.js';
import {
  addOrganization,
  addUser,
  beforeNextTransaction,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';
import { createTestClock, type TestClock } from '../../support/test-clock.js';

/** The address that a browser opens next: by a redirect, or by the button of a page. */
async function leadingOn(response: Response): Promise<string> {
  const location = response.headers.get('location');
  return location ?? pressButton(await response.text());
}

interface SessionBody {
  token: string;
  refreshToken: string;
  user: { id: number; email: string; role: string; display_name: string };
}

const listener = 'http://127.0.0.1:49152/done?mine=1';
const ada: TestPerson = {
  sub: 'subject-of-ada',
  email: 'Ada@acme.example',
  email_verified: true,
  name: 'Ada Lovelace',
};

describe('Signing in with an identity provider', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let idp: TestIdentityProvider;
  let providerId: number;

  before(async () => {
    clock = createTestClock(new Date().toISOString());
    test = await serveTestApp(
      {
        sso: { allow_private: true },
        auth: { login_attempts: 1000, login_attempts_per_address: 1000 },
      },
      clock,
    );
    idp = await startIdentityProvider(`${test.url}/api/auth/sso/callback`);
  });
  /** The provider runs on the machine's clock: ours is so far ahead of it. */
  const setAhead = (ms: number) => clock.advance(Date.now() + ms - clock.now().getTime());
  beforeEach(async () => {
    setAhead(0);
    await test.app.db.write('organizations').delete();
    await test.app.db.write('sign_in_attempts').delete();
    acme = await addOrganization(test);
    const made = await createProvider(test.app, acme.operator, {
      ...{ name: 'acme', label: 'Acme', issuer: idp.issuer, clientId, clientSecret },
      defaultRole: 'user',
      scopes: ['openid', 'email', 'profile', 'groups'],
    });
    providerId = made.id;
    idp.person = { ...ada };
    idp.spoil.clear();
  });
  after(async () => {
    await idp.close();
    await test.close();
  });

  const edit = (change: ProviderChange) =>
    updateProvider(test.app, acme.operator, providerId, change);
  const verifier = randomBytes(32).toString('base64url');

  let cookie = '';
  async function start(
    returnTo = listener,
    query: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) {
    const asked = new URLSearchParams({
      ...{ provider: 'acme', code_challenge: challengeOf(verifier), return_to: returnTo },
      ...query,
    });
    const url = `${test.url}/api/auth/sso/start?${asked.toString()}`;
    const response = await fetch(url, { redirect: 'manual', headers: { cookie, ...headers } });
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return response;
  }
  /** The address of the provider at which a sign-in began in this browser. */
  const begin = async (...args: Parameters<typeof start>) => leadingOn(await start(...args));
  /** Through the provider and back to this server; the address that the browser ends at. */
  async function signIn(): Promise<URL> {
    return finish(await idp.browse(await begin()));
  }
  const answer = (callback: string) => fetch(callback, { redirect: 'manual', headers: { cookie } });
  async function finish(callback: string): Promise<URL> {
    const response = await answer(callback);
    assert.equal(response.status, 302, await response.text());
    return new URL(response.headers.get('location') ?? '', test.url);
  }
  const exchange = (code: string, codeVerifier = verifier) =>
    callApi<SessionBody & { code: string }>(`${test.url}/api/auth/sso/session`, {
      body: { code, code_verifier: codeVerifier },
    });
  async function session(): Promise<SessionBody> {
    const end = await signIn();
    const code = end.searchParams.get('code');
    assert.ok(code !== null, end.href);
    const { status, body } = await exchange(code);
    assert.equal(status, 200);
    return body;
  }
  async function refusal(): Promise<[string | null, string | null]> {
    const { searchParams } = await signIn();
    return [searchParams.get('error'), searchParams.get('error_description')];
  }
  const users = () => test.app.db.read('users').select('email', 'role', 'password_hash');

  it('creates an account for a new person, and opens a session', async () => {
    const { token, user } = await session();
    assert.deepEqual(
      [user.email, user.role, user.display_name],
      ['Ada@acme.example', 'user', 'Ada Lovelace'],
    );
    const { status } = await callApi(`${test.url}/api/me`, { token });
    assert.equal(status, 200);
    assert.deepEqual(await users(), [
      { email: 'Ada@acme.example', role: 'user', password_hash: null },
    ]);
  });

  it('returns the browser to the program that started it, with its own parameters', async () => {
    const end = await signIn();
    assert.equal(end.origin + end.pathname, 'http://127.0.0.1:49152/done');
    assert.equal(end.searchParams.get('mine'), '1');
  });

  it('recognizes a person by the subject, even with a new address', async () => {
    const first = await session();
    idp.person = { ...ada, email: 'ada.king@acme.example', email_verified: false };
    assert.equal((await session()).user.id, first.user.id);
    assert.equal((await users()).length, 1);
  });

  it('links an existing account by its verified address, and records it', async () => {
    const admin = await addUser(test, acme, 'admin');
    idp.person = { ...ada, email: admin.email.toUpperCase() };
    const { user } = await session();
    assert.deepEqual([user.id, user.role], [admin.id, 'admin']);
    const changes = await test.app.db.read('audit_log').where({ action: 'identity.link' });
    assert.deepEqual(
      changes.map((row: { subject: string; actor: string }) => [row.subject, row.actor]),
      [[`user:${admin.id}`, `user:${admin.id}`]],
    );
  });

  it('neither links nor creates an account by an unverified address, unless the provider is trusted', async () => {
    const { email } = await addUser(test, acme, 'admin');
    for (const email_verified of [false, undefined]) {
      idp.person = { sub: 'mallory', email, ...(email_verified === false && { email_verified }) };
      assert.equal((await refusal())[0], 'sign_in_refused');
    }
    await edit({ trustsEmail: true });
    assert.equal((await session()).user.email, email);
    idp.person = { sub: 'eve', email: 'eve@acme.example', email_verified: false };
    assert.equal((await refusal())[0], 'sign_in_refused');
  });

  it('links an account to one subject only, because an address can pass to another person', async () => {
    await session();
    idp.person = { ...ada, sub: 'another-ada' };
    assert.deepEqual(await refusal(), [
      'sign_in_refused',
      'Ada@acme.example can’t be used to sign in here: it belongs to another account.'.replace(
        '’',
        "'",
      ),
    ]);
  });

  it('never signs in to an account of another organization', async () => {
    const globex = await addOrganization(test, 'Globex');
    const { email } = await addUser(test, globex, 'admin');
    idp.person = { ...ada, email };
    assert.equal((await refusal())[0], 'sign_in_refused');
  });

  it('refuses a disabled account, also if it is disabled during the sign-in', async () => {
    const { user } = await session();
    const end = await signIn();
    await test.app.db.write('users').where({ id: user.id }).update({ disabled: true });
    assert.equal((await exchange(end.searchParams.get('code') ?? '')).status, 401);
    assert.deepEqual(await refusal(), [
      'sign_in_refused',
      'This account is disabled. Ask an admin.',
    ]);
  });

  it('admits only addresses of the allowed domains', async () => {
    await edit({ allowedDomains: ['ACME.example'] });
    await session();
    for (const email of [
      'ada@evil.example',
      'ada@sub.acme.example',
      'ada@acme.example.evil.test',
    ]) {
      idp.person = { ...ada, sub: email, email };
      assert.equal((await refusal())[0], 'sign_in_refused', email);
    }
    // This holds for a linked account too.
    idp.person = { ...ada, email: 'ada@evil.example' };
    assert.equal((await refusal())[0], 'sign_in_refused');
  });

  it('sets the role that the claim maps to, at each sign-in', async () => {
    await edit({
      roleClaim: 'groups',
      defaultRole: null,
      roleMapping: [
        { value: 'writers', role: 'backoffice' },
        { value: 'owners', role: 'admin' },
      ],
    });
    const withGroups = async (...groups: string[]) => {
      idp.person = { ...ada, groups };
      return (await session()).user.role;
    };
    // Without a second admin, the only one would keep the role.
    await addUser(test, acme, 'admin');
    assert.equal(await withGroups('everybody', 'owners', 'writers'), 'admin');
    assert.equal(await withGroups('writers'), 'backoffice');
    idp.person = { ...ada, groups: ['Owners', 'admin'] };
    assert.equal((await refusal())[0], 'sign_in_refused');
    await edit({ defaultRole: 'user' });
    assert.equal(await withGroups(), 'user');
  });

  it('creates no account without a role', async () => {
    await edit({ defaultRole: null });
    assert.equal((await refusal())[0], 'sign_in_refused');
    assert.deepEqual(await users(), []);
  });

  it('reports to the program that started it if the person declines', async () => {
    idp.person = undefined;
    assert.deepEqual(await refusal(), [
      'sign_in_refused',
      'The identity provider Acme did not let this person in.',
    ]);
  });

  it('exchanges a code once, and only for the program that started it', async () => {
    const code = (await signIn()).searchParams.get('code') ?? '';
    assert.equal((await exchange(code)).status, 200);
    assert.equal((await exchange(code)).status, 401);
    const stolen = (await signIn()).searchParams.get('code') ?? '';
    assert.equal((await exchange(stolen, 'x'.repeat(43))).status, 401);
    assert.equal((await exchange(stolen)).status, 401);
  });

  it('refuses a code after two minutes', async () => {
    const code = (await signIn()).searchParams.get('code') ?? '';
    clock.advance(120_000);
    assert.equal((await exchange(code)).status, 401);
  });

  it('accepts the provider’s answer once, in time, and only for a started sign-in', async () => {
    const callback = await idp.browse(await begin());
    await finish(callback);
    const again = await answer(callback);
    assert.equal(again.status, 401);
    const late = await idp.browse(await begin());
    clock.advance(900_000);
    assert.equal((await answer(late)).status, 401);
    const madeUp = `${test.url}/api/auth/sso/callback/${providerId}?code=x&state=${'A'.repeat(43)}`;
    assert.equal((await answer(madeUp)).status, 401);
  });

  it('refuses an answer of another issuer, and a code of another sign-in', async () => {
    const callback = new URL(await idp.browse(await begin()));
    callback.searchParams.set('iss', 'https://evil.example');
    assert.equal((await finish(callback.href)).searchParams.get('error'), 'provider_failed');
    const one = new URL(await idp.browse(await begin()));
    const other = new URL(await idp.browse(await begin()));
    one.searchParams.set('code', other.searchParams.get('code') ?? '');
    assert.equal((await finish(one.href)).searchParams.get('error'), 'provider_failed');
  });

  it('refuses a forged ID token', async () => {
    idp.spoil.set('/token', (body) => {
      const [head, , signature] = String(body['id_token']).split('.');
      const claims = { iss: idp.issuer, sub: 'subject-of-an-admin', aud: clientId };
      const forged = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return { ...body, id_token: `${head}.${forged}.${signature}` };
    });
    assert.equal((await refusal())[0], 'provider_failed');
  });

  it('refuses an answer that is too large', async () => {
    idp.spoil.set('/token', (body) => ({ ...body, more: 'x'.repeat(600_000) }));
    assert.equal((await refusal())[0], 'provider_failed');
  });

  it('accepts a provider’s new signing key', async () => {
    await session();
    idp.rotateKey();
    await session();
  });

  it('tolerates clocks that differ by up to half a minute', async () => {
    setAhead(idTokenSeconds * 1000 + 20_000);
    await session();
    setAhead(idTokenSeconds * 1000 + 45_000);
    assert.equal((await refusal())[0], 'provider_failed');
  });

  it('returns only to this server’s backoffice or to a program on the person’s machine', async () => {
    for (const fine of ['/backoffice?page=1', '/backoffice/a/../b', '/backoffice/']) {
      assert.equal((await start(fine)).status, 302, fine);
    }
    for (const fine of ['http://[::1]:8000/', 'http://127.0.0.1/x']) {
      assert.equal((await start(fine)).status, 200, fine);
    }
    const refused = [
      ...['https://evil.example/', '//evil.example/', '/\\evil.example', '/\t/evil.example'],
      ...['/', '/x', '/backoffice2', '/api/me', '/widget/v1/x', '/backoffice/../api/me'],
      ...['/backoffice/..%2fapi/me', '/backoffice/%2e%2e/api/me', '/backoffice/..%5Capi/me'],
      '/backoffice/..;/api/me',
      ...['/api/auth/sso/callback/1?state=x', '/backoffice/%252e%252e%252fapi', '//backoffice'],
      ...['/.//evil.example', 'http://127.0.0.1.evil.example/', 'http://localhost:80/'],
      ...[
        'https://127.0.0.1/',
        'http://user@127.0.0.1/',
        'javascript:alert(1)',
        'http://10.0.0.1/',
      ],
    ];
    for (const address of refused) assert.equal((await start(address)).status, 400, address);
  });

  it('offers the enabled providers of the organization only', async () => {
    const ways = async (query = '') =>
      (await callApi<object>(`${test.url}/api/auth/ways${query}`)).body;
    const some = { password_sign_in: true, providers: [{ name: 'acme', label: 'Acme' }] };
    const none = { password_sign_in: true, providers: [] };
    assert.deepEqual(await ways(), some);
    assert.deepEqual(await ways('?organization=acme'), some);
    assert.deepEqual(await ways('?organization=nobody'), none);
    const refused = async (query: Record<string, string> = {}) => {
      const started = await start(listener, query);
      assert.equal(started.status, 302);
      const end = new URL(started.headers.get('location') ?? '');
      assert.equal(end.origin + end.pathname, 'http://127.0.0.1:49152/done');
      assert.equal(end.searchParams.get('mine'), '1');
      assert.equal(end.searchParams.get('error'), 'not_found');
    };
    await refused({ provider: 'other' });
    await refused({ organization: 'nobody' });
    await edit({ disabled: true });
    assert.deepEqual(await ways(), none);
    await refused();
  });

  it('is completed only in the browser that started it', async () => {
    const callback = await idp.browse(await begin());
    const mine = cookie;
    for (const other of ['', `assistant_sign_in=${'A'.repeat(43)}`]) {
      cookie = other;
      assert.equal((await answer(callback)).status, 401);
    }
    cookie = mine;
    assert.ok((await finish(callback)).searchParams.has('code'));
    const kept = (await start()).headers.getSetCookie();
    assert.deepEqual(kept, [`${mine}; Path=/api/auth/sso; Max-Age=900; HttpOnly; SameSite=Lax`]);
  });

  it('works in two windows of one browser at once', async () => {
    const one = await idp.browse(await begin());
    const other = await idp.browse(await begin());
    assert.ok((await finish(one)).searchParams.has('code'));
    assert.ok((await finish(other)).searchParams.has('code'));
  });

  it('accepts the answer of each provider at its own address only', async () => {
    const globex = await addOrganization(test, 'Globex');
    const asked: string[] = [];
    const evil = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('{}');
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`;
    const { id } = await createProvider(test.app, globex.operator, {
      ...{ name: 'evil', issuer, clientId },
    });
    const endpoints = { authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/token` };
    test.app.providerMetadata.set(issuer, { issuer, ...endpoints });
    try {
      const theirs = new URL(await begin(listener, { organization: 'globex', provider: 'evil' }));
      assert.match(theirs.searchParams.get('redirect_uri') ?? '', new RegExp(`/callback/${id}$`));
      // An attacker swaps the state, so that the answer of one provider meets the other's sign-in.
      const ours = new URL(await begin());
      ours.searchParams.set('state', theirs.searchParams.get('state') ?? '');
      const callback = new URL(await idp.browse(ours.href));
      callback.searchParams.delete('iss');
      assert.equal((await answer(callback.href)).status, 401);
      assert.deepEqual(asked, []);
    } finally {
      evil.close();
    }
  });

  it('asks the person, in their language, before a program on their machine gets a code', async () => {
    await edit({ label: 'Acme <&>' });
    const spoken = {
      ...{
        en: 'Sign in to a program on this machine?',
        fr: 'Sign in to a program on this machine?',
      },
      ...{ 'de-AT,en;q=0.5': 'In einem Programm auf diesem Rechner anmelden?' },
      es: '¿Iniciar sesión en un programa de este equipo?',
    };
    for (const [accepted, title] of Object.entries(spoken)) {
      const response = await start(listener, {}, { 'accept-language': accepted });
      assert.deepEqual([response.status, response.headers.get('location')], [200, null]);
      const policy = response.headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none'; style-src 'self';.* frame-ancestors 'none'$/);
      assert.equal(response.headers.get('x-frame-options'), 'DENY');
      const page = await response.text();
      for (const part of [title, '127.0.0.1:49152', 'assistant login', 'Acme &#60;&#38;&#62;']) {
        assert.ok(page.includes(part), `${part}: ${page}`);
      }
      assert.ok(!page.includes('<script'));
      const style = /<link rel="stylesheet" href="([^"]+)"/.exec(page)?.[1] ?? '';
      assert.equal((await fetch(new URL(style, test.url))).status, 200);
    }
  });

  it('ends sessions when their provider is disabled, edited or deleted, and returns its sign-out address', async () => {
    const { token, refreshToken } = await session();
    const out = await callApi<{ end_session_url: string }>(`${test.url}/api/auth/logout`, {
      body: { refreshToken },
    });
    assert.equal(out.status, 200);
    assert.ok(out.body.end_session_url.startsWith(`${idp.issuer}/session/end?`));
    assert.equal((await callApi(`${test.url}/api/me`, { token })).status, 401);
    const { client_id, id_token_hint: hint = '' } = Object.fromEntries(
      new URL(out.body.end_session_url).searchParams,
    );
    assert.equal(client_id, clientId);
    const claims = Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString();
    assert.equal((JSON.parse(claims) as { sub?: string }).sub, ada.sub);
    assert.equal((await fetch(out.body.end_session_url)).status, 200);
    const kept = test.app.db.read('refresh_tokens').whereNotNull('id_token');
    assert.deepEqual(await kept, [], 'the ID token is deleted');

    const refresh = (refreshToken: string) =>
      callApi<SessionBody>(`${test.url}/api/auth/refresh`, { body: { refreshToken } });
    const renewed = await refresh((await session()).refreshToken);
    assert.equal(renewed.status, 200);
    await edit({ disabled: true });
    assert.equal((await refresh(renewed.body.refreshToken)).status, 401);
    await edit({ disabled: false });
    assert.equal((await refresh(renewed.body.refreshToken)).status, 401, 'nothing is revived');
    const other = await session();
    await edit({ clientId: 'another' });
    assert.equal((await refresh(other.refreshToken)).status, 401);
    await edit({ clientId });
    const last = await session();
    await callApi(`${test.url}/api/admin/identity-providers/${providerId}`, {
      method: 'DELETE',
      token: (await addUser(test, acme, 'admin')).token,
    });
    assert.equal((await callApi(`${test.url}/api/me`, { token: last.token })).status, 401);
  });

  it('returns no ID token at log-out for a used or expired refresh token', async () => {
    const logOut = async (refreshToken: string) => {
      const url = `${test.url}/api/auth/logout`;
      const { status, body } = await callApi<{ end_session_url: string }>(url, {
        body: { refreshToken },
      });
      assert.equal(status, 200);
      return new URL(body.end_session_url).searchParams.has('id_token_hint');
    };
    const used = await session();
    const refreshed = await callApi(`${test.url}/api/auth/refresh`, {
      body: { refreshToken: used.refreshToken },
    });
    assert.equal(refreshed.status, 200);
    assert.equal(await logOut(used.refreshToken), false, 'used before');
    assert.equal((await callApi(`${test.url}/api/me`, { token: used.token })).status, 401);
    const expired = await session();
    clock.advance(test.app.config.sso.session_hours * 3_600_000);
    assert.equal(await logOut(expired.refreshToken), false, 'expired');
    setAhead(0);
    assert.equal(await logOut((await session()).refreshToken), true);
  });

  it('refuses a code from before a change that ends sessions', async () => {
    const { user } = await session();
    const switched = async (change: (disabled: boolean) => Promise<unknown>) => {
      await change(true);
      await change(false);
    };
    const endings: Record<string, () => Promise<unknown>> = {
      'a disabled account': () =>
        switched((disabled) => updateUser(test.app, acme.operator, { id: user.id, disabled })),
      'another password': () =>
        resetPassword(test.app, acme.operator, { id: user.id, password: 'another long one' }),
      'an identity that is unlinked': () => unlinkIdentity(test.app, acme.operator, user.id),
      'a disabled provider': () => switched((disabled) => edit({ disabled })),
      'another client id': () => edit({ clientId: 'another' }).then(() => edit({ clientId })),
    };
    for (const [what, end] of Object.entries(endings)) {
      const code = (await signIn()).searchParams.get('code') ?? '';
      await end();
      assert.equal((await exchange(code)).status, 401, what);
    }
  });

  it('applies the rules at the time of the provider’s answer', async () => {
    idp.spoil.set('/token', (body) => {
      // The answer is checked.
      beforeNextTransaction(test.app, () =>
        updateProvider(test.app, acme.operator, providerId, { allowedDomains: ['x.example'] }),
      );
      return body;
    });
    assert.equal((await refusal())[0], 'sign_in_refused');
    assert.deepEqual(await users(), []);
  });

  it('refuses an answer if the provider’s issuer was changed meanwhile', async () => {
    const callback = await idp.browse(await begin());
    await edit({ issuer: 'https://other.example', clientSecret });
    assert.equal((await answer(callback)).status, 401);
  });

  it('recognizes an admin’s sign-in if the issuer ends with a slash', async () => {
    const { email } = await addUser(test, acme, 'admin');
    idp.person = { ...ada, email };
    await edit({ issuer: `${idp.issuer}/`, clientSecret });
    await session();
    assert.equal(await setPasswordSignIn(test.app, acme.operator, false), false);
  });

  it('opens a session that ends at a fixed time, however often it is refreshed', async () => {
    const refresh = (refreshToken: string) =>
      callApi<SessionBody & { expiresIn: number }>(`${test.url}/api/auth/refresh`, {
        body: { refreshToken },
      });
    const first = await session();
    clock.advance(7 * 3_600_000);
    const second = await refresh(first.refreshToken);
    assert.equal(second.status, 200);
    clock.advance(5 * 3_600_000 - 60_000);
    const third = await refresh(second.body.refreshToken);
    assert.deepEqual([third.status, third.body.expiresIn <= 60], [200, true]);
    clock.advance(60_000);
    assert.equal((await refresh(third.body.refreshToken)).status, 401);
  });

  it('ends a person’s sessions when the rules refuse their next sign-in', async () => {
    const ends = async (change: ProviderChange) => {
      await edit({ allowedDomains: [], roleClaim: null, defaultRole: 'user', roleMapping: [] });
      const { token } = await session();
      await edit(change);
      assert.equal((await callApi(`${test.url}/api/me`, { token })).status, 200);
      assert.equal((await refusal())[0], 'sign_in_refused');
      assert.equal((await callApi(`${test.url}/api/me`, { token })).status, 401);
    };
    await ends({ allowedDomains: ['globex.example'] });
    const roleMapping = [{ value: 'owners', role: 'admin' as const }];
    await ends({ roleClaim: 'groups', defaultRole: null, roleMapping });
  });

  it('keeps the last admin’s role, and records the provider with each change of a role', async () => {
    const roleMapping = [{ value: 'owners', role: 'admin' as const }];
    await edit({ roleClaim: 'groups', roleMapping });
    const admin = await addUser(test, acme, 'admin');
    idp.person = { ...ada, email: admin.email, groups: ['others'] };
    assert.equal((await session()).user.role, 'admin');
    idp.person = {
      sub: 'owner',
      email: 'o@acme.example',
      email_verified: true,
      groups: ['owners'],
    };
    await session();
    idp.person = { ...ada, email: admin.email, groups: ['others'] };
    assert.equal((await session()).user.role, 'user');
    const rows = await test.app.db
      .read('audit_log')
      .where({ action: 'user.update', subject: `user:${admin.id}` });
    assert.equal(rows.length, 1);
    assert.match(JSON.stringify(rows), /provider\\*":\\*"acme/);
  });

  it('refuses an account that is linked to another provider, until an admin unlinks it', async () => {
    const { user, token } = await session();
    await test.app.db.write('user_identities').where({ user_id: user.id }).delete();
    const two = await createProvider(test.app, acme.operator, {
      ...{ name: 'two', label: 'Two', issuer: 'https://two.example', clientId },
    });
    const key = { providerId: two.id, issuer: 'https://two.example', subject: 'ada' };
    await insertIdentity(test.app, user.id, key);
    assert.equal((await refusal())[0], 'sign_in_refused');
    await unlinkIdentity(test.app, acme.operator, user.id);
    assert.equal((await callApi(`${test.url}/api/me`, { token })).status, 401);
    assert.equal((await session()).user.id, user.id);
    const rows = await test.app.db.read('audit_log').where({ action: 'identity.unlink' });
    assert.equal(rows.length, 1);
    assert.match(JSON.stringify(rows), /two/);
  });

  it('does not accept a look-alike letter in an address', async () => {
    const { email } = await addUser(test, acme, 'backoffice');
    idp.person = { sub: 'kelvin', email: email.replace('k', '\u212a'), email_verified: true };
    assert.equal((await refusal())[0], 'sign_in_refused');
  });

  it('names the provider instead of a password for an account without one', async () => {
    const { token } = await session();
    for (let time = 0; time < 2; time++) {
      const { status, body } = await callApi<{ detail?: string }>(`${test.url}/api/me/erase`, {
        token,
        body: { current_password: 'whatever' },
      });
      assert.equal(status, 422);
      assert.match(JSON.stringify(body), /This account has no password: it signs in by/);
    }
  });

  describe('again, to erase one’s own account', () => {
    const fresh = { fresh: 'true' };
    const codeOf = async (query: Record<string, string>) =>
      (await finish(await idp.browse(await begin(listener, query)))).searchParams.get('code') ?? '';
    const erase = (token: string, code: string, code_verifier = verifier) =>
      callApi<{ detail?: string; person?: string }>(`${test.url}/api/me/erase`, {
        ...{ token, body: { sign_in: { code, code_verifier } } },
      });

    it('accepts one fresh sign-in of the same person, once', async () => {
      const { token, user } = await session();
      idp.person = { sub: 'eve', email: 'eve@acme.example', email_verified: true };
      const eve = await session();
      const refused = [
        await erase(token, await codeOf(fresh)),
        await erase(eve.token, await codeOf({})),
        await erase(eve.token, await codeOf(fresh), 'x'.repeat(43)),
      ];
      for (const { status, body } of refused) {
        assert.deepEqual([status, body.detail?.includes('fresh=true')], [422, true]);
      }
      const used = await codeOf(fresh);
      assert.equal((await exchange(used)).status, 200);
      assert.equal((await erase(eve.token, used)).status, 422);
      idp.person = { ...ada };
      const { status, body } = await erase(token, await codeOf(fresh));
      assert.deepEqual([status, body.person], [200, `user:${user.id}`]);
      assert.equal((await callApi(`${test.url}/api/me`, { token })).status, 401);
    });

    it('requires the provider’s proof that it asked again', async () => {
      const address = new URL(await begin(listener, fresh));
      assert.equal(address.searchParams.get('prompt'), 'login');
      address.searchParams.delete('prompt');
      address.searchParams.delete('max_age');
      const { searchParams } = await finish(await idp.browse(address.href));
      assert.equal(searchParams.get('error'), 'sign_in_refused');
      assert.match(searchParams.get('error_description') ?? '', /did not ask you to sign in again/);
    });
  });

  it('stores secrets and codes only encrypted or hashed', async () => {
    const end = await signIn();
    const rows = JSON.stringify([
      await test.app.db.read('identity_providers').select('*'),
      await test.app.db.read('provider_sign_ins').select('*'),
    ]);
    assert.ok(!rows.includes(clientSecret));
    assert.ok(!rows.includes(end.searchParams.get('code') ?? '?'));
  });
});
