import assert from 'node:assert/strict';
import { pageOf, tokenFor } from './support/people.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from './support/widget-world.js';

const linux = 'How do I install the program on Linux?';
const windows = 'How do I install the program on Windows?';

describeInBrowser('The widget in two tabs', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  for (const [who, name, withoutSockets] of [
    ['a visitor', undefined, false],
    ['a signed-in user', 'pia', false],
    ['a visitor without WebSockets', undefined, true],
  ] as const)
    it(
      `shows each question of ${who} in both tabs, in order and once`,
      visiting(async ({ page, context }) => {
        if (withoutSockets)
          await context.addInitScript(
            'window.WebSocket = class { constructor() { throw new Error() } }',
          );
        const token = name === undefined ? undefined : await tokenFor(world, name);
        const url = pageOf(world, token);
        await page.goto(url);
        const second = await context.newPage();
        await second.goto(url);
        const [one, two] = [widgetOn(page), widgetOn(second)];
        await one.open();
        await two.open();
        await one.log.getByText('Hello! How can I help?').waitFor();
        await two.log.getByText('Hello! How can I help?').waitFor();
        // The other is in the background, and has begun nothing of its own.
        await page.bringToFront();
        await one.ask(linux);
        await two.said('apt install heron').waitFor();
        await two.ask(windows);
        await one.said('heron.msi').waitFor();
        await one.ask('What does the Studio licence cost?');
        await two.answers.nth(2).getByRole('button', { name: 'Helpful', exact: true }).waitFor();
        const shown = (of: typeof one) => of.log.getByRole('article').allInnerTexts();
        assert.deepEqual(await shown(two), await shown(one));
        assert.deepEqual(await one.questions.allInnerTexts(), [
          ...[linux, windows, 'What does the Studio licence cost?'],
        ]);
        const before = await shown(one);
        await page.reload();
        await one.open();
        await one.said('apt install heron').waitFor();
        assert.deepEqual(await shown(one), before);
        // Each may begin another one, which is its own.
        await two.button('New conversation').click();
        await one.ask('And on Windows?');
        await two.ask(linux);
        assert.deepEqual(await two.questions.allInnerTexts(), [linux]);
        assert.equal(await one.questions.count(), 4);
      }),
    );

  it(
    'emits message events only in the tab that asked',
    visiting(async ({ page, context }) => {
      const url = pageOf(world, undefined);
      await page.goto(url);
      const one = widgetOn(page);
      await one.open();
      await one.ask(linux);
      const second = await context.newPage();
      await second.goto(url);
      const two = widgetOn(second);
      await two.open();
      await two.said('apt install heron').waitFor();
      await second.evaluate(
        `window.messages = 0; Assistant.on('message', () => messages++); Assistant.close()`,
      );
      await one.ask(windows);
      await two.launcher.click();
      await two.said('heron.msi').waitFor();
      assert.equal(await second.evaluate('messages'), 0);
      await second.evaluate('Assistant.close()');
      await second.getByRole('button', { name: 'Open assistant', exact: true }).waitFor();
    }),
  );

  it(
    'does not show a visitor’s question in the tab of a signed-in user',
    visiting(async ({ page, context }) => {
      await page.goto(pageOf(world, undefined));
      const second = await context.newPage();
      await second.goto(pageOf(world, await tokenFor(world, 'quentin')));
      const [one, two] = [widgetOn(page), widgetOn(second)];
      for (const tab of [one, two]) {
        await tab.open();
        await tab.log.getByText('Hello! How can I help?').waitFor();
      }
      await page.bringToFront();
      await one.ask(linux);
      await second.bringToFront();
      // By the time of this answer, a request for the visitor's conversation would have failed in the console.
      await two.ask(windows);
      assert.deepEqual(await two.questions.allInnerTexts(), [windows]);
      assert.deepEqual(await one.questions.allInnerTexts(), [linux]);
    }),
  );

  for (const withoutSockets of [false, true])
    it(
      `removes a conversation from both tabs when it is deleted in one${withoutSockets ? ', without WebSockets too' : ''}`,
      visiting(async ({ page, context }) => {
        if (withoutSockets)
          await context.addInitScript(
            'window.WebSocket = class { constructor() { throw new Error() } }',
          );
        const url = pageOf(world, undefined);
        await page.goto(url);
        const one = widgetOn(page);
        await one.open();
        await one.ask(linux);
        const second = await context.newPage();
        await second.goto(url);
        const two = widgetOn(second);
        await two.open();
        await two.said('apt install heron').waitFor();
        await one.button('Menu').click();
        await one.button('Conversations').click();
        await one.button(`Delete “${linux}”`).click();
        await one.button('Delete').click();
        await one.panel.getByText('Nothing here.').waitFor();
        const note = two.panel.getByText('This conversation was deleted.');
        await note.waitFor();
        await two.log.getByText('Hello! How can I help?').waitFor();
        assert.equal(await two.log.getByRole('article').count(), 0);
        // The tab that deleted the conversation shows no note.
        await one.button('Back').click();
        await one.log.getByText('Hello! How can I help?').waitFor();
        assert.equal(
          await one.panel.getByText('This conversation was deleted.').isVisible(),
          false,
        );
        await two.ask(windows);
        assert.equal(await note.isVisible(), false);
        await second.reload();
        await two.open();
        await two.said('heron.msi').waitFor();
        assert.deepEqual(await two.questions.allInnerTexts(), [windows]);
      }),
    );
});
