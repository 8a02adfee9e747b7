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
import { openPageClient, type Answer, type PageClient } from '../support/page-client.js';

const minute = 60_000;

describe('People in the backoffice', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let ada: TestUser;
  let ben: TestUser;
  let browser: PageClient;

  beforeEach(async () => {
    clock = createTestClock();
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    ada = await addUser(test, acme, 'admin');
    ben = await addUser(test, acme, 'backoffice');
    browser = openPageClient(test.url);
    await browser.signIn(ada);
  });
  afterEach(() => test.close());

  const bens = () => `/people/${ben.id}`;
  const userRow = async (id = ben.id) =>
    (await test.app.db.read('users').where({ id }).first()) as Record<string, unknown>;

  /** Sends the password that a page asks for, together with the held form. */
  const confirm = (path: string, asked: Answer, password: string) => {
    const held = /name="held" value="([^"]+)"/.exec(asked.text)?.[1] ?? '';
    return browser.send(path, { do: 'x', held, current_password: password, code: '' });
  };

  it('are listed with their last visit, and filtered by words, role and state', async () => {
    await callApi(`${test.url}/api/me`, { token: ben.token });
    await browser.send(bens(), { do: 'disable' });
    const names = async (query: string) =>
      [...(await browser.open(`/people?${query}`)).text.matchAll(/people\/(\d+)"/g)].map((match) =>
        Number(match[1]),
      );
    assert.deepEqual(await names(''), [ada.id, ben.id]);
    assert.deepEqual(await names('q=backoff'), [ben.id]);
    assert.deepEqual(await names('role=admin'), [ada.id]);
    assert.deepEqual(await names('state=disabled'), [ben.id]);
    assert.match((await browser.open('/people')).text, /Last seen/);
    assert.match((await browser.open(bens())).text, /Disabled/);
  });

  it('are marked as seen at most once an hour, by pages and by tokens', async () => {
    const seen = async (id: number) => (await userRow(id))['last_seen_at'];
    const first = clock.now().toISOString();
    await browser.open('/me');
    await callApi(`${test.url}/api/me`, { token: ben.token });
    assert.deepEqual([await seen(ada.id), await seen(ben.id)], [first, first]);
    clock.advance(10 * minute);
    await browser.open('/me');
    await callApi(`${test.url}/api/me`, { token: ben.token });
    assert.deepEqual([await seen(ada.id), await seen(ben.id)], [first, first]);
    clock.advance(50 * minute);
    await browser.open('/me');
    assert.equal(await seen(ada.id), clock.now().toISOString());
  });

  it('are created, and keep the typed fields after a refusal', async () => {
    const person = { do: 'create', email: 'cy@example.com', display_name: 'Cy', role: 'user' };
    const refused = await browser.send('/people/new', { ...person, password: 'short' });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /value="cy@example.com"/);
    assert.ok(!refused.text.includes('value="short"'));
    const made = await browser.send('/people/new', { ...person, password: 'long enough words' });
    assert.match(made.to, /^\/backoffice\/people\/\d+\?done=personAdded$/);
    assert.match((await browser.open('/people')).text, /Cy/);
  });

  it('lose all access at once when they are disabled', async () => {
    const theirs = openPageClient(test.url);
    await theirs.signIn(ben);
    assert.equal((await theirs.open('/me')).status, 200);
    const { to } = await browser.send(bens(), { do: 'disable' });
    assert.equal(to, `/backoffice${bens()}?done=personDisabled`);
    assert.equal((await theirs.open('/me')).status, 303);
    assert.equal((await callApi(`${test.url}/api/me`, { token: ben.token })).status, 401);
    await browser.send(bens(), { do: 'enable' });
    assert.equal(Boolean((await userRow())['disabled']), false);
  });

  it('get a new role, password and quota', async () => {
    const { email } = ben;
    await browser.send(bens(), { do: 'save', email, display_name: 'Ben B.', role: 'admin' });
    const { role, display_name } = await userRow();
    assert.deepEqual([role, display_name], ['admin', 'Ben B.']);
    await browser.send(bens(), { do: 'resetPassword', password: 'quite another one' });
    const theirs = openPageClient(test.url);
    await theirs.signIn({ email, password: 'quite another one' });
    await browser.send(bens(), { do: 'setQuota', units: '12,000' });
    assert.match((await browser.open(bens())).text, /0 of 12,000 units/);
    assert.equal((await browser.send(bens(), { do: 'setQuota', units: 'many' })).status, 400);
    await browser.send(bens(), { do: 'setQuota', units: '' });
    assert.match((await browser.open(bens())).text, /0 units this month, without a limit/);
  });

  it('can’t lose their last admin', async () => {
    const own = `/people/${ada.id}`;
    const refused = await browser.send(own, { do: 'disable' });
    assert.equal(refused.status, 409);
    assert.match(refused.text, /last active admin/);
  });

  it('get tokens that are shown once and can be revoked', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', 'accept-encoding': 'gzip' };
    const made = await browser.send(bens(), { do: 'mintToken', name: 'ci', days: '30' }, headers);
    assert.equal(made.headers.get('content-encoding'), null);
    const token = /eyJ[\w.-]+/.exec(made.text)?.[0] ?? '';
    assert.equal((await callApi(`${test.url}/api/me`, { token })).status, 200);
    const listed = await browser.open(bens());
    assert.ok(!listed.text.includes(token));
    const id = /name="token" value="(\d+)"/.exec(listed.text)?.[1] ?? '';
    const elsewhere = await browser.send(`/people/${ada.id}`, { do: 'revokeToken', token: id });
    assert.equal(elsewhere.status, 404);
    await browser.send(bens(), { do: 'revokeToken', token: id });
    assert.equal((await callApi(`${test.url}/api/me`, { token })).status, 401);
    assert.match((await browser.open(bens())).text, /Revoked/);
  });

  it('are changed only with one’s own password, ten minutes after it was typed', async () => {
    clock.advance(11 * minute);
    const form = { do: 'save', email: ben.email, display_name: 'Ben', role: 'admin' };
    const asked = await browser.send(bens(), form);
    assert.match(asked.text, /Confirm with your password/);
    assert.equal((await userRow())['role'], 'backoffice');
    const refused = await confirm(bens(), asked, 'a wrong one');
    assert.equal(refused.status, 422);
    assert.match(refused.text, /current password is not right/);
    assert.equal((await userRow())['role'], 'backoffice');
    const done = await confirm(bens(), refused, ada.password);
    assert.equal(done.to, `/backoffice${bens()}?done=saved`);
    assert.equal((await userRow())['role'], 'admin');
    // The password counts for the next ten minutes, in this browser only.
    clock.advance(9 * minute);
    assert.equal((await browser.send(bens(), { ...form, role: 'user' })).status, 303);
    clock.advance(2 * minute);
    assert.match((await browser.send(bens(), form)).text, /Confirm with your password/);
  });

  it('accept a form that waits for a password only on its own page, for ten minutes', async () => {
    clock.advance(11 * minute);
    const form = { do: 'save', email: ben.email, display_name: 'Ben', role: 'admin' };
    const asked = await browser.send(bens(), form);
    assert.equal((await confirm(`/people/${ada.id}`, asked, ada.password)).status, 400);
    clock.advance(11 * minute);
    assert.equal((await confirm(bens(), asked, ada.password)).status, 400);
    assert.equal((await userRow())['role'], 'backoffice');
  });

  it('are exported, and erased after typing their name and one’s own password', async () => {
    const person = `user:${ben.id}`;
    const page = await browser.open(`/people/data?person=${person}`);
    assert.match(page.text, new RegExp(`value="${person}"`));
    const zip = await browser.send('/people/data', { do: 'export', person });
    assert.equal(zip.headers.get('content-type'), 'application/zip');
    const unsure = await browser.send('/people/data', { do: 'erase', person, again: 'user:1' });
    assert.match(unsure.text, /Confirm with your password/);
    assert.equal((await confirm('/people/data', unsure, ada.password)).status, 400);
    const asked = await browser.send('/people/data', { do: 'erase', person, again: person });
    assert.notEqual(await userRow(), undefined);
    const erased = await confirm('/people/data', asked, ada.password);
    assert.match(erased.text, /data is erased/);
    assert.equal(await userRow(), undefined);
    const nobody = await browser.send('/people/data', { do: 'export', person: 'nobody' });
    assert.equal(nobody.status, 400);
  });

  it('are shown only to admins of their organization', async () => {
    const operator = openPageClient(test.url);
    await operator.signIn(ben);
    for (const path of ['/people', '/people/new', bens(), '/people/data']) {
      assert.equal((await operator.open(path)).status, 404, path);
    }
    const stranger = openPageClient(test.url);
    await stranger.signIn(await addUser(test, await addOrganization(test, 'Other'), 'admin'));
    assert.equal((await stranger.open(bens())).status, 404);
    for (const form of [{ do: 'disable' }, { do: 'resetPassword', password: 'quite another one' }])
      assert.equal((await stranger.send(bens(), form)).status, 404);
    assert.ok(!(await stranger.open('/people')).text.includes(ben.email));
  });
});
