import assert from 'node:assert/strict';
import { generate } from 'otplib';
import {
  beginSecondFactor,
  confirmSecondFactor,
} from '../../src/accounts/users/manage-second-factor.js';
import { openExtensionWorld, texts, type ExtensionWorld } from './support/extension-world.js';

describe('The sign-in of the extension', () => {
  let world: ExtensionWorld;
  before(async function () {
    // Long enough to install a browser.
    this.timeout(900_000);
    world = await openExtensionWorld();
  });
  after(() => world.close());

  it('asks for the code of a second factor after the correct password', async () => {
    const { test, ann, browser } = world;
    const credentials = { email: ann.email, password: ann.password, address: '127.0.0.1' };
    const { secret } = await beginSecondFactor(test.app, credentials);
    const now = Math.floor(Date.now() / 1000);
    const first = await generate({ secret, epoch: now });
    await confirmSecondFactor(test.app, { ...credentials, code: first });
    const page = await browser.context.newPage();
    await page.goto(browser.address('options.html'));
    const submit = () => page.getByRole('button', { name: texts.signIn, exact: true }).click();
    const code = page.getByLabel(texts.code, { exact: true });
    await page.getByLabel(texts.email).fill(ann.email);
    await page.getByLabel(texts.password).fill(ann.password);
    assert.equal(await code.count(), 0);
    await submit();
    await page.getByRole('alert').filter({ hasText: texts.codeWanted }).waitFor();
    await code.and(page.locator(':focus')).waitFor();
    await code.fill(await generate({ secret, epoch: now + 30 }));
    await submit();
    await page.getByText(texts.signedInAs(ann.email)).first().waitFor();
    assert.deepEqual(browser.problems.splice(0), []);
  });
});
