import assert from 'node:assert/strict';
import { createSignInLink } from '../../../src/accounts/users/sign-in-links.js';
import { codeOf } from '../../../src/platform/errors.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';
import { createTestClock, type TestClock } from '../../support/test-clock.js';
import { openPageClient } from '../support/page-client.js';

describe('A link that signs in once', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ada: TestUser;
  let clock: TestClock;

  before(async () => {
    clock = createTestClock();
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    await addUser(test, acme, 'backoffice');
    ada = await addUser(test, acme, 'admin');
  });
  after(() => test.close());

  const make = () => createSignInLink(test.app, acme.operator);
  const use = (token: string, headers?: Record<string, string>) => {
    const browser = openPageClient(test.url);
    const answer = browser.send('/sign-in/link?token=x', { do: 'useLink', token }, headers);
    return answer.then(({ status, text }) => ({ status, text, browser }));
  };

  it('signs in the first admin by its button, and only once', async () => {
    const token = await make();
    const looking = openPageClient(test.url);
    for (let time = 0; time < 2; time += 1) {
      const shown = await looking.open(`/sign-in/link?token=${token}`);
      assert.match(shown.text, new RegExp(`name="token" value="${token}"`));
      assert.equal(looking.cookies.size, 0);
    }
    const stored: unknown = await test.app.db.read('sign_in_links').first();
    assert.ok(!JSON.stringify(stored).includes(token));
    const { status, browser } = await use(token);
    assert.equal(status, 303);
    assert.match((await browser.open('/me')).text, new RegExp(ada.email));
    const again = await use(token);
    assert.equal(again.status, 401);
    assert.match(again.text, /This link was used before/);
    assert.equal(again.browser.cookies.size, 0);
  });

  it('admits one of two browsers that use it at once', async () => {
    const token = await make();
    const answers = await Promise.all([use(token), use(token)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 401]);
  });

  it('expires after five minutes, and when the account is disabled', async () => {
    const late = await make();
    clock.advance(300_000);
    assert.equal((await use(late)).status, 401);
    const token = await make();
    await test.app.db.write('users').where({ id: ada.id }).update({ disabled: true });
    assert.equal((await use(token)).status, 401);
    assert.equal(await make().catch((error: unknown) => codeOf(error)), 'not_found');
    await test.app.db.write('users').where({ id: ada.id }).update({ disabled: false });
  });

  it('is refused behind a proxy or from another site', async () => {
    const token = await make();
    const same = { 'sec-fetch-site': 'same-origin' };
    assert.equal((await use(token, { ...same, 'x-forwarded-for': '10.0.0.7' })).status, 404);
    assert.equal((await use(token, { 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.equal((await use(token)).status, 303);
  });

  it('is created only by the operator of the machine', async () => {
    const { organizationId } = acme.operator;
    const actor = { kind: 'user', organizationId, userId: ada.id, role: 'admin' } as const;
    const refused = await createSignInLink(test.app, actor).catch((error: unknown) => error);
    assert.equal(codeOf(refused), 'forbidden');
  });
});
