import assert from 'node:assert/strict';
import { storeEntry } from '../support/stored-entry.js';
import { addUser } from '../support/test-app.js';
import { addKeyWithSecret, addUserToken } from '../support/widget-keys.js';
import { asked, pageOf, tokenFor } from './support/people.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from './support/widget-world.js';

const linux = 'How do I install the program on Linux?';
const windows = 'How do I install the program on Windows?';

describeInBrowser('The widget and its users', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  const tokenOf = (externalId: string, more?: object) => tokenFor(world, externalId, more);
  const pageFor = (userToken: string | undefined, attributes?: Record<string, string>) =>
    pageOf(world, userToken, attributes);

  it(
    'keeps a visitor’s conversation across pages and reloads, and shows it in no other browser',
    visiting(async ({ page, another }) => {
      world.put('/other', {});
      await page.goto(pageFor(undefined));
      const { open, ask, answers, said } = widgetOn(page);
      await open();
      await ask(linux);
      await page.reload();
      await open();
      await said('apt install heron').waitFor();
      await page.goto(world.site.url('/other'));
      await open();
      await said('apt install heron').waitFor();
      const answer = await ask('And on Windows?');
      assert.ok((await answer.innerText()).includes('heron.msi'), 'it is the same conversation');
      assert.equal(await answers.count(), 2);
      // Another browser is another visitor.
      const someone = (await another()).page;
      await someone.goto(world.site.url('/other'));
      await widgetOn(someone).open();
      await widgetOn(someone).log.getByText('Hello! How can I help?').waitFor();
      assert.deepEqual(await asked(someone), []);
    }),
  );

  it(
    'shows a user’s conversation to no other user of the same browser, and shows it to its owner again',
    visiting(async ({ page }) => {
      const [ada, bob] = [await tokenOf('ada'), await tokenOf('bob')];
      const { open, ask, log, said } = widgetOn(page);
      await page.goto(pageFor(ada));
      await open();
      await ask(linux);
      await page.goto(pageFor(bob));
      await open();
      await log.getByText('Hello! How can I help?').waitFor();
      assert.deepEqual(await asked(page), []);
      await ask(windows);
      assert.deepEqual(await asked(page), [windows]);
      // Signed out of the host: nothing of Bob is left in the browser.
      await page.goto(pageFor(undefined));
      await open();
      await log.getByText('Hello! How can I help?').waitFor();
      assert.deepEqual(await asked(page), []);
      const stored = await page.evaluate<string>(
        'JSON.stringify({ ...localStorage, ...sessionStorage })',
      );
      for (const word of ['ada', 'bob', ada, bob, 'heron', linux, windows])
        assert.ok(!stored.includes(word), `${word} is in the browser’s store`);
      await page.goto(pageFor(await tokenOf('ada')));
      await open();
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Conversations' }).click();
      await page.getByRole('button', { name: /^How do I install the program on Linux/ }).click();
      await said('apt install heron').waitFor();
      assert.deepEqual(await asked(page), [linux]);
    }),
  );

  it(
    'signs in and out by its own form, and shows nothing of the user after sign-out',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/401/);
      const user = await addUser(world.test, world.acme, 'user');
      await page.goto(pageFor(undefined, { 'user-auth': '' }));
      const { open, ask, button, panel, log } = widgetOn(page);
      await open();
      await button('Menu').click();
      await button('Sign in').click();
      await panel.getByLabel('E-mail').fill(user.email);
      await panel.getByLabel('Password').fill('a wrong password');
      await panel.getByRole('button', { name: 'Sign in', exact: true }).click();
      await panel.getByText('E-mail or password is wrong.').waitFor();
      await panel.getByLabel('Password').fill(user.password);
      await panel.getByRole('button', { name: 'Sign in', exact: true }).click();
      await ask(linux);
      assert.deepEqual(await asked(page), [linux]);
      await page.reload();
      await open();
      await widgetOn(page).said('apt install heron').waitFor();
      await button('Menu').click();
      await button('Sign out').click();
      await log.getByText('Hello! How can I help?').waitFor();
      assert.deepEqual(await asked(page), []);
      const stored = await page.evaluate<string>(
        'JSON.stringify({ ...localStorage, ...sessionStorage })',
      );
      assert.ok(!/userToken|eyJ[^"]*"subject":"[^"]/.test(stored), stored);
      await page.reload();
      await open();
      await log.getByText('Hello! How can I help?').waitFor();
      assert.deepEqual(await asked(page), []);
    }),
  );

  it(
    'uses entries of the authenticated tier only for users of an authenticated key',
    visiting(async ({ page }) => {
      const content = 'The heron vault is opened with the code of the day.';
      await storeEntry(world.test, world.acme, {
        title: 'Vault',
        content,
        visibility: 'authenticated',
      });
      const { key, secret } = await addKeyWithSecret(world.test, world.acme, {
        kind: 'authenticated',
      });
      const question = 'How is the heron vault opened?';
      await page.goto(pageFor(undefined));
      const { open, ask } = widgetOn(page);
      await open();
      assert.ok(!(await (await ask(question)).innerText()).includes('code of the day'));
      const token = await addUserToken(world.test, { key, secret }, { externalId: 'hal' });
      await page.goto(pageFor(token, { 'api-key': key.key }));
      await open();
      assert.ok((await (await ask(question)).innerText()).includes('code of the day'));
    }),
  );
});
