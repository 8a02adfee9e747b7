import assert from 'node:assert/strict';
import type { ServiceError } from '../../src/extension/browser/service/service.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestUser,
} from '../support/test-app.js';
import { openNodeService } from './support/node-service.js';

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing was refused',
    (error: unknown) => (error as ServiceError).code,
  );

describe('The session of the extension', () => {
  let test: TestApp & { url: string };
  let user: TestUser;
  before(async () => {
    test = await serveTestApp();
    user = await addUser(test, await addOrganization(test), 'user');
  });
  after(() => test.close());

  async function signedIn() {
    const service = openNodeService(test.url);
    await service.part().signIn(user.email, user.password);
    return service;
  }

  it('is renewed once if several parts need it at the same time', async () => {
    const service = await signedIn();
    service.spoil('an-ended.access.token');
    const parts = [service.part(), service.part(), service.part()];
    const calls = parts.flatMap((part) => [1, 2, 3].map(() => part.json('GET', '/api/me')));
    const replies = (await Promise.all(calls)) as { email: string }[];
    assert.deepEqual(new Set(replies.map(({ email }) => email)), new Set([user.email]));
    assert.equal(service.asked.filter((one) => one === 'POST /api/auth/refresh').length, 1);
  });

  it('is removed after the service has ended it, and no further request is sent', async () => {
    const service = await signedIn();
    const { refreshToken = '' } = service.account ?? {};
    await fetch(`${test.url}/api/auth/logout`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    });
    assert.equal(await codeOf(service.part().json('GET', '/api/me')), 'signed_out');
    assert.equal(service.account, undefined);
    const before = service.asked.length;
    assert.equal(await codeOf(service.part().json('GET', '/api/me')), 'signed_out');
    assert.equal(service.asked.length, before);
  });

  it('ends in the extension and in the service at sign-out, and in the extension even offline', async () => {
    const service = await signedIn();
    const { token = '' } = service.account ?? {};
    await service.part().signOut();
    assert.equal(service.account, undefined);
    const headers = { Authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${test.url}/api/me`, { headers })).status, 401);
    const offline = await signedIn();
    offline.move('http://127.0.0.1:9');
    await offline.part().signOut();
    assert.equal(offline.account, undefined);
  });

  it('ends at once at sign-out during a renewal, which does not bring it back', async () => {
    const service = await signedIn();
    service.spoil('an-ended.access.token');
    const renewals = service.holdRenewals();
    const call = codeOf(service.part().json('GET', '/api/me'));
    await renewals.answered;
    await service.part().signOut();
    assert.equal(service.account, undefined);
    renewals.release();
    assert.equal(await call, 'signed_out');
    assert.equal(service.account, undefined);
    const ends = service.asked.filter((one) => one === 'POST /api/auth/logout');
    assert.equal(ends.length, 2, 'the renewed session is ended as well');
  });

  it('is kept if its renewal takes too long, which counts as offline', async () => {
    const service = await signedIn();
    service.spoil('an-ended.access.token');
    service.holdRenewals();
    assert.equal(await codeOf(service.part({ patience: 1000 }).json('GET', '/api/me')), 'offline');
    assert.ok(service.asked.includes('POST /api/auth/refresh'));
    assert.notEqual(service.account, undefined);
  });

  it('survives if a page is closed while it renews the session', async () => {
    const service = await signedIn();
    service.spoil('an-ended.access.token');
    const renewals = service.holdRenewals();
    const page = service.page();
    const call = codeOf(page.service.json('GET', '/api/me'));
    await renewals.answered;
    page.close();
    renewals.release();
    await call;
    const reply = await service.page().service.json<{ email: string }>('GET', '/api/me');
    assert.equal(reply.email, user.email);
  });

  it('does not begin if the sign-in is refused, whose code names the reason', async () => {
    const service = openNodeService(test.url);
    assert.equal(await codeOf(service.part().signIn(user.email, 'wrong')), 'unauthenticated');
    assert.equal(service.account, undefined);
    service.move('http://127.0.0.1:9');
    assert.equal(await codeOf(service.part().signIn(user.email, user.password)), 'offline');
    service.move(undefined);
    assert.equal(await codeOf(service.part().signIn(user.email, user.password)), 'no_server');
  });
});
