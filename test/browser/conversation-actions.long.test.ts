import assert from 'node:assert/strict';
import { describeInBrowser, visiting } from './support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from './support/widget-world.js';

const linux = 'How do I install the program on Linux?';

describeInBrowser('A conversation in the widget, in detail', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  it(
    'shows code with a copy button, and tables as tables',
    visiting(async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(world.put('/', {}));
      const { open, ask } = widgetOn(page);
      await open();
      const answer = await ask(linux);
      assert.equal((await answer.locator('pre code').innerText()).trim(), 'apt install heron');
      await answer.getByRole('button', { name: 'Copy', exact: true }).click();
      await answer.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      assert.equal(copied.trim(), 'apt install heron');
      const priced = await ask('And what does the Studio licence cost?');
      assert.ok((await priced.getByRole('table').innerText()).includes('Studio'));
    }),
  );

  it(
    'stores the rating of an answer with its reason, and removes it at a second press',
    visiting(async ({ page }) => {
      await page.goto(world.put('/', {}));
      const { open, ask } = widgetOn(page);
      await open();
      const answer = await ask(linux);
      const [up, down] = ['Helpful', 'Not helpful'].map((name) =>
        answer.getByRole('button', { name, exact: true }),
      );
      assert.ok(up !== undefined && down !== undefined);
      const pressed = async () => [
        await up.getAttribute('aria-pressed'),
        await down.getAttribute('aria-pressed'),
      ];
      const saved = () =>
        page.waitForResponse((reply) => reply.url().endsWith('/widget/feedback') && reply.ok());
      await Promise.all([saved(), down.click()]);
      assert.deepEqual(await pressed(), ['false', 'true']);
      await Promise.all([saved(), up.click()]);
      assert.deepEqual(await pressed(), ['true', 'false']);
      const [taken] = await Promise.all([saved(), up.click()]);
      assert.deepEqual(await taken.json(), { rating: null });
      assert.deepEqual(await pressed(), ['false', 'false']);
      await Promise.all([saved(), down.click()]);
      await answer.getByRole('button', { name: 'Incorrect' }).click();
      await Promise.all([saved(), answer.getByRole('button', { name: 'Send' }).click()]);
      await answer.getByText('Thank you').waitFor();
      const stored = await world.test.app.db.read('message_feedback').pluck<string[]>('comment');
      assert.deepEqual(stored, ['Incorrect']);
    }),
  );

  it(
    'can be followed by a new one, listed, opened again and deleted',
    visiting(async ({ page }) => {
      await page.goto(world.put('/', {}));
      const { open, ask, button, questions, panel, said } = widgetOn(page);
      await open();
      await ask(linux);
      await button('New conversation').first().click();
      await questions.first().waitFor({ state: 'detached' });
      const other = await ask('What does the Studio licence cost?');
      assert.ok((await other.innerText()).includes('11 euros'));
      await button('Menu').click();
      await button('Conversations').click();
      await panel.getByRole('button', { name: /^How do I install the program on Linux/ }).click();
      await said('apt install heron').waitFor();
      assert.equal(await questions.count(), 1);
      await button('Menu').click();
      await button('Conversations').click();
      await button(/^Delete “.*on Linux/).click();
      await button('Delete').click();
      await button(/on Linux/)
        .first()
        .waitFor({ state: 'detached' });
      await button('Back').click();
      await questions.first().waitFor({ state: 'detached' });
      await page.reload();
      await open();
      await button('Menu').click();
      await button('Conversations').click();
      await button(/^What does the Studio/).waitFor();
      assert.equal(await button(/on Linux/).count(), 0);
    }),
  );
});
