import assert from 'node:assert/strict';
import { callApi } from '../../support/api-client.js';
import { createTestClock, type TestClock } from '../../support/test-clock.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

const hour = 3_600_000;

describe('A session of the backoffice', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let ben: TestUser;
  let browser: PageClient;

  beforeEach(async () => {
    clock = createTestClock();
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    ben = await addUser(test, acme, 'backoffice');
    browser = openPageClient(test.url);
  });
  afterEach(() => test.close());

  const statusOf = async (path = '/me', client = browser) => (await client.open(path)).status;

  it('begins with e-mail and password, and leads to the requested page', async () => {
    const away = await browser.open('/me?tab=2');
    assert.deepEqual([away.status, away.to], [303, '/backoffice/sign-in?next=%2Fme%3Ftab%3D2']);
    const form = await browser.open('/sign-in?next=%2Fme%3Ftab%3D2');
    assert.match(form.text, /name="next" value="\/me\?tab=2"/);
    const { email, password } = ben;
    const signedIn = await browser.send('/sign-in', {
      ...{ do: 'signIn', email, password, next: '/me?tab=2' },
    });
    assert.deepEqual([signedIn.status, signedIn.to], [303, '/backoffice/me?tab=2']);
    const cookie = signedIn.headers.getSetCookie().join();
    assert.match(cookie, /^assistant=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    assert.equal(await statusOf(), 200);
    assert.equal((await browser.open('/sign-in')).to, '/backoffice');
  });

  it('leads to no other site after the sign-in', async () => {
    for (const next of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/../api/auth/sso/start',
      '/x/%2E./.\t./evil',
      'javascript:',
    ]) {
      const { email, password } = ben;
      const { to } = await browser.send('/sign-in', { do: 'signIn', email, password, next });
      assert.equal(to, '/backoffice', next);
    }
  });

  it('keeps the typed address, but not the password, after a wrong password', async () => {
    const wrong = { do: 'signIn', email: ben.email, password: 'a wrong password' };
    const { status, text } = await browser.send('/sign-in', wrong);
    assert.equal(status, 401);
    assert.match(text, /<title>Error: Sign in/);
    assert.match(text, /The e-mail address or the password is not right\./);
    assert.ok(text.includes(ben.email));
    assert.doesNotMatch(text, /a wrong password/);
    assert.equal(browser.cookies.size, 0);
  });

  it('is for staff: a user is told to ask an admin', async () => {
    const { email, password } = await addUser(test, acme, 'user');
    const { status, text } = await browser.send('/sign-in', { do: 'signIn', email, password });
    assert.equal(status, 403);
    assert.match(text, /Ask an admin for the role backoffice/);
  });

  it('limits wrong passwords together with those over the API', async () => {
    const guess = { do: 'signIn', email: ben.email, password: 'a wrong password' };
    const statuses = [];
    for (let time = 0; time < 30; time += 1)
      statuses.push((await browser.send('/sign-in', guess)).status);
    assert.ok(statuses.includes(429));
    const { email, password } = ben;
    const refused = await callApi(`${test.url}/api/auth/login`, { body: { email, password } });
    assert.equal(refused.status, 429);
  });

  it('gives no access to the API, and no token gives access to a page', async () => {
    await browser.signIn(ben);
    const secret = browser.cookies.get('assistant') ?? '';
    for (const headers of [
      { cookie: `assistant=${secret}` },
      { authorization: `Bearer ${secret}` },
    ]) {
      const response = await fetch(`${test.url}/api/me`, { headers });
      assert.equal(response.status, 401);
    }
    const refresh = { body: { refreshToken: secret } };
    assert.equal((await callApi(`${test.url}/api/auth/refresh`, refresh)).status, 401);
    const stranger = openPageClient(test.url);
    const { status } = await stranger.open('/me', { authorization: `Bearer ${ben.token}` });
    assert.equal(status, 303);
    const { refreshToken } = (
      await callApi<{ refreshToken: string }>(`${test.url}/api/auth/login`, {
        body: { email: ben.email, password: ben.password },
      })
    ).body;
    stranger.cookies.set('assistant', refreshToken);
    assert.equal(await statusOf('/me', stranger), 303);
    assert.equal(await statusOf(), 200);
  });

  it('ends after twelve hours without a request, and at the latest after the configured days', async () => {
    await browser.signIn(ben);
    clock.advance(11 * hour);
    assert.equal(await statusOf(), 200);
    clock.advance(11 * hour);
    assert.equal(await statusOf(), 200);
    clock.advance(12 * hour);
    assert.equal(await statusOf(), 303);
    await browser.signIn(ben);
    const days = test.app.config.auth.refresh_token_days;
    for (let time = 0; time < days * 24; time += 11) {
      await browser.open('/me');
      clock.advance(11 * hour);
    }
    assert.equal(await statusOf(), 303);
  });

  it('ends at sign-out, in this browser or everywhere', async () => {
    const other = openPageClient(test.url);
    const third = openPageClient(test.url);
    for (const client of [browser, other, third]) await client.signIn(ben);
    const login = { body: { email: ben.email, password: ben.password } };
    const { body } = await callApi<{ token: string }>(`${test.url}/api/auth/login`, login);
    const stolen = browser.cookies.get('assistant') ?? '';
    const out = await browser.send('/sign-out', { do: 'signOut' });
    assert.deepEqual([out.status, out.to, browser.cookies.size], [303, '/backoffice/sign-out', 0]);
    browser.cookies.set('assistant', stolen);
    assert.deepEqual([await statusOf(), await statusOf('/me', other)], [303, 200]);
    await other.send('/me', { do: 'signOutEverywhere' });
    assert.deepEqual([await statusOf('/me', other), await statusOf('/me', third)], [303, 303]);
    assert.equal((await callApi(`${test.url}/api/me`, { token: body.token })).status, 401);
  });

  it('ends when the account is disabled, or its role or password changes', async () => {
    const admin = await addUser(test, acme, 'admin');
    const at = `${test.url}/api/admin/users/${ben.id}`;
    const edit = (body: object) => callApi(at, { method: 'PUT', token: admin.token, body });
    const setPassword = (password: string) =>
      callApi(`${at}/reset-password`, { token: admin.token, body: { password } });
    for (const [change, back] of [
      [() => edit({ disabled: true }), () => edit({ disabled: false })],
      [() => edit({ role: 'user' }), () => edit({ role: 'backoffice' })],
      [() => setPassword('another long one'), () => setPassword(ben.password)],
    ] as const) {
      await browser.signIn(ben);
      assert.equal(await statusOf(), 200);
      const { status } = await change();
      assert.ok(status < 300, String(status));
      assert.equal(await statusOf(), 303, String(change));
      await back();
    }
  });

  it('asks for the code of a second factor without asking for the password again', async () => {
    const credentials = { email: ben.email, password: ben.password };
    const begun = await callApi<{ secret: string }>(`${test.url}/api/auth/two-factor`, {
      body: credentials,
    });
    const { generate } = await import('otplib');
    const now = Math.floor(clock.now().getTime() / 1000);
    const codeAt = (epoch: number) => generate({ secret: begun.body.secret, epoch });
    const confirm = { body: { ...credentials, code: await codeAt(now) } };
    assert.equal((await callApi(`${test.url}/api/auth/two-factor/confirm`, confirm)).status, 200);
    clock.advance(60_000);
    const asked = await browser.send('/sign-in', { do: 'signIn', ...credentials });
    assert.equal(asked.status, 401);
    assert.match(asked.text, /<h1>Enter your code<\/h1>/);
    assert.ok(!asked.text.includes(ben.password));
    const ticket = /name="ticket" value="([^"]+)"/.exec(asked.text)?.[1] ?? '';
    const code = await codeAt(now + 60);
    const wrong = await browser.send('/sign-in', { do: 'signIn', ticket, code: '000000' });
    assert.equal(wrong.status, 401);
    const answer = await browser.send('/sign-in', { do: 'signIn', ticket, code });
    assert.deepEqual([answer.status, answer.to], [303, '/backoffice']);
    clock.advance(300_000);
    const late = await browser.send('/sign-in', {
      ...{ do: 'signIn', ticket, code: await codeAt(now + 360) },
    });
    assert.match(late.text, /Type your password again/);
  });

  it('refuses an invented ticket, even before a key for tickets exists', async () => {
    const ticket = 'A'.repeat(100);
    const answer = await browser.send('/sign-in', { do: 'signIn', ticket, code: '123456' });
    assert.equal(answer.status, 401);
    assert.match(answer.text, /Type your password again/);
  });

  it('can’t be started or replaced by another site, nor can its text be shown', async () => {
    const by = '/sign-in/by/evil?organization=beta';
    for (const site of ['cross-site', 'same-site']) {
      const { to } = await browser.open(by, { 'sec-fetch-site': site });
      assert.equal(to, '/backoffice/sign-in?next=%2F&organization=beta', site);
    }
    assert.equal(browser.cookies.size, 0);
    const spoofed = await browser.open('/sign-in/return?error_description=Call+evil.example');
    assert.doesNotMatch(spoofed.text, /evil/);
    for (const site of ['same-origin', 'none']) {
      const { to } = await browser.open(by, { 'sec-fetch-site': site });
      assert.match(to, /^\/api\/auth\/sso\/start\?provider=evil&/, site);
    }
    const shown = await browser.open('/sign-in/return?error_description=Ask+an+admin');
    assert.match(shown.text, /Ask an admin/);
    await browser.signIn(ben);
    const { to } = await browser.open(by, { 'sec-fetch-site': 'same-origin' });
    assert.match(to, /^\/backoffice\/sign-in\?/);
    assert.deepEqual([...browser.cookies.keys()], ['assistant']);
  });
});
