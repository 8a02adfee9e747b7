import assert from 'node:assert/strict';
import { addUser } from '../support/test-app.js';
import { asked, pageOf, tokenFor } from './support/people.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from './support/widget-world.js';

const linux = 'How do I install the program on Linux?';
const windows = 'How do I install the program on Windows?';

describeInBrowser('The widget, when another person uses it', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  const tokenOf = (externalId: string, more?: object) => tokenFor(world, externalId, more);
  const pageFor = (userToken: string | undefined, attributes?: Record<string, string>) =>
    pageOf(world, userToken, attributes);

  it(
    'shows nothing of the previous user after updateAssistant sets another user token',
    visiting(async ({ page }) => {
      await page.goto(pageFor(await tokenOf('cleo')));
      const { open, ask, log } = widgetOn(page);
      await open();
      await ask(linux);
      await page.evaluate(
        `updateAssistant({ userToken: ${JSON.stringify(await tokenOf('dan'))} })`,
      );
      await log.getByText('Hello! How can I help?').waitFor();
      assert.deepEqual(await asked(page), []);
      await ask(windows);
      assert.deepEqual(await asked(page), [windows]);
    }),
  );

  it(
    'clears the draft and the list of conversations when the user token changes',
    visiting(async ({ page }) => {
      const [ada, bob] = [await tokenOf('ivy'), await tokenOf('joe')];
      await page.goto(pageFor(ada));
      const { open, ask, button, composer, log, panel } = widgetOn(page);
      const become = (userToken: string | null) =>
        page.evaluate(`updateAssistant(${JSON.stringify({ userToken })})`);
      await open();
      await ask(linux);
      await composer.fill('a private draft');
      await become(bob);
      await log.getByText('Hello! How can I help?').waitFor();
      assert.equal(await composer.inputValue(), '');
      await become(ada);
      await button('Menu').click();
      await button('Conversations').click();
      await button(/^How do I install the program on Linux/).waitFor();
      await become(bob);
      await composer.waitFor();
      assert.equal(await panel.getByText(/install the program on Linux/).count(), 0);
    }),
  );

  it(
    'signs out with a null or empty user token, and clears the conversation and the draft',
    visiting(async ({ page }) => {
      const user = await tokenOf('kim');
      const { open, ask, composer, log } = widgetOn(page);
      for (const userToken of [null, '']) {
        await page.goto(pageFor(user));
        await open();
        await ask(linux);
        await composer.fill('a private draft');
        await page.evaluate(`updateAssistant(${JSON.stringify({ userToken })})`);
        await log.getByText('Hello! How can I help?').waitFor();
        assert.equal(await composer.inputValue(), '');
        assert.deepEqual(await asked(page), []);
      }
      await ask(windows);
      const frame = await page.evaluate<string>('JSON.stringify({ ...localStorage })');
      assert.ok(frame.includes('visitorToken'), 'it was asked as a visitor');
    }),
  );

  it(
    'clears the draft and the list of conversations in another tab too when the user signs out',
    visiting(async ({ page, context }) => {
      const user = await addUser(world.test, world.acme, 'user');
      await page.goto(pageFor(undefined, { 'user-auth': '' }));
      const one = widgetOn(page);
      await one.open();
      await one.button('Menu').click();
      await one.button('Sign in').click();
      await one.panel.getByLabel('E-mail').fill(user.email);
      await one.panel.getByLabel('Password').fill(user.password);
      await one.panel.getByRole('button', { name: 'Sign in', exact: true }).click();
      await one.ask(linux);
      const second = await context.newPage();
      await second.goto(world.site.url('/'));
      const two = widgetOn(second);
      await two.open();
      await two.said('apt install heron').waitFor();
      await two.composer.fill('a private draft');
      await two.button('Menu').click();
      await two.button('Conversations').click();
      await two.button(/^How do I install the program on Linux/).waitFor();
      await one.button('Menu').click();
      await one.button('Sign out').click();
      await two.log.getByText('Hello! How can I help?').waitFor();
      assert.equal(await two.composer.inputValue(), '');
      assert.equal(await two.panel.getByText(/install the program/).count(), 0);
    }),
  );

  it(
    'reports an invalid user token, or a page that returns none, in the console and by an error event',
    visiting(async ({ page, expectProblem, problems }) => {
      expectProblem(/401|WebSocket|Assistant: /);
      const given = [
        `userToken: 'abc.def.ghi'`,
        `getUserToken: () => { throw new Error('no session') }`,
        'getUserToken: () => 7',
      ];
      for (const one of given) {
        await page.goto(world.put('/', { attributes: { 'api-key': undefined } }));
        const before = problems.length;
        await page.evaluate(`window.codes = [];
          Assistant.on('error', ({ code }) => codes.push(code));
          initAssistant({ apiKey: ${JSON.stringify(world.key.key.key)}, ${one} })`);
        await widgetOn(page).open();
        await widgetOn(page).log.getByText('Hello! How can I help?').waitFor();
        await page.waitForFunction('codes.includes("unauthenticated")');
        assert.ok(
          problems.slice(before).some((text) => text.includes('Assistant: ')),
          one,
        );
      }
    }),
  );
});
