import assert from 'node:assert/strict';
import { openHostSite, type HostSite } from './support/host-site.js';
import { openStage, putViewStage } from './support/view-stage.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { widgetOn } from './support/widget-world.js';

describeInBrowser('What can be reached in the panel', () => {
  let site: HostSite;
  before(async () => {
    site = await openHostSite();
    await putViewStage(site);
  });
  after(() => site.close());

  it(
    'is the menu, by the arrows, Home and End, round and round',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const { button } = widgetOn(page);
      const focused = () => page.evaluate('stage.root.activeElement.textContent');
      await button('Menu').press('Enter');
      const found: unknown[] = [await focused()];
      for (const key of ['ArrowDown', 'ArrowUp', 'ArrowUp', 'Home', 'End', 'ArrowDown']) {
        await page.keyboard.press(key);
        found.push(await focused());
      }
      const [first, second, last] = ['New conversation', 'Conversations', 'Sign in'];
      assert.deepEqual(found, [first, second, first, last, first, last, first]);
      await page.keyboard.press('Escape');
      await button('Menu').and(page.locator(':focus')).waitFor();
    }),
  );

  it(
    'is the beginning of an answer, however long its question was',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const { log } = widgetOn(page);
      await page.evaluate(
        `stage.set({ messages: [stage.question('word '.repeat(1600)), stage.answer('', { status: 'waiting' })] });
         stage.say('The answer begins here. ' + 'And goes on. '.repeat(400))`,
      );
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
      const shown = await log.boundingBox();
      const answer = await page.getByText('The answer begins here.').boundingBox();
      assert.ok(shown && answer);
      const below = answer.y - shown.y;
      assert.ok(
        below > 0 && below < shown.height * 0.8,
        `it begins at ${below} of ${shown.height}`,
      );
    }),
  );

  it(
    'is the form that asks a person: what jumps to the latest message is never above it',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const { panel, button } = widgetOn(page);
      await page.evaluate(
        `stage.set({ messages: [stage.question('Who?'), stage.answer('None. '.repeat(300), { reply: stage.reply('None.', [], { canRequest: true, found: false }) }), ...Array.from({ length: 6 }, () => stage.question('More?'))] })`,
      );
      const up = () => page.evaluate(`stage.root.querySelector('.log').scrollTop = 0`);
      await up();
      await button('Jump to latest').waitFor();
      await button('Ask a person').click();
      const field = panel.getByLabel('E-mail').and(page.locator(':focus'));
      const [email, jump] = await Promise.all([
        field.boundingBox(),
        button('Jump to latest').boundingBox(),
      ]);
      assert.ok(email && jump && email.y + email.height <= jump.y, 'it can be seen and pressed');
    }),
  );
});
