import assert from 'node:assert/strict';
import { generate } from 'otplib';
import { createTestClock, type TestClock } from '../../support/test-clock.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestUser,
} from '../../support/test-app.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

const path = '/me/second-factor';

describe('The second factor of one’s own account in the backoffice', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let ben: TestUser;
  let browser: PageClient;

  beforeEach(async () => {
    clock = createTestClock();
    test = await serveTestApp({}, clock);
    ben = await addUser(test, await addOrganization(test), 'backoffice');
    browser = openPageClient(test.url);
    await browser.signIn(ben);
  });
  afterEach(() => test.close());

  const codeNow = (secret: string) =>
    generate({ secret, epoch: Math.floor(clock.now().getTime() / 1000) });

  it('is set up with a secret that is shown once, gets new recovery codes, and is disabled', async () => {
    assert.match((await browser.open(path)).text, /Not set up/);
    const wrong = await browser.send(path, { do: 'begin', password: 'a wrong one' });
    assert.equal(wrong.status, 422);
    const { password } = ben;
    const begun = await browser.send(path, { do: 'begin', password });
    const grouped = /class="secret">([A-Z2-7 ]+)</.exec(begun.text)?.[1] ?? '';
    assert.match(grouped, /^[A-Z2-7]{4}( [A-Z2-7]{4})+$/);
    assert.match(begun.text, /href="otpauth:\/\/totp\//);
    const secret = grouped.replaceAll(' ', '');

    const refused = await browser.send(path, { do: 'confirm', password, code: '000000' });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /Confirm with the first code/);
    assert.ok(!refused.text.includes(grouped));
    const code = await codeNow(secret);
    const confirmed = await browser.send(path, { do: 'confirm', password, code });
    const codes = [...confirmed.text.matchAll(/[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}/g)];
    assert.equal(codes.length, 10);
    // The browser stays signed in with a new session.
    assert.match((await browser.open(path)).text, /10 recovery codes are left/);

    clock.advance(60_000);
    const renewed = await browser.send(path, {
      ...{ do: 'renew', password, code: await codeNow(secret) },
    });
    assert.ok(!renewed.text.includes(codes[0]?.[0] ?? ''));
    clock.advance(60_000);
    const ended = await browser.send(path, { do: 'end', password, code: await codeNow(secret) });
    assert.equal(ended.to, '/backoffice/sign-in');
    assert.equal((await browser.open(path)).status, 303);
    await browser.signIn(ben);
    assert.match((await browser.open(path)).text, /Not set up/);
  });
});
