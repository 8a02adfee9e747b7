import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { HostSite } from './support/host-site.js';
import { inPage } from './support/in-page.js';
import { callsOf, openStage, openStageSite } from './support/view-stage.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { widgetOn } from './support/widget-world.js';

describeInBrowser('The panel of the widget', () => {
  let site: HostSite;
  before(async () => {
    site = await openStageSite();
  });
  after(() => site.close());

  it(
    'moves in its menu with the arrow keys, Home and End, in a circle',
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
    'shows the beginning of an answer, however long its question is',
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
    'does not cover the form that asks a person with “Jump to latest”',
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

  for (const isMoved of [false, true])
    it(
      isMoved
        ? 'keeps the position of a reader who scrolled up when a stopped answer ends'
        : 'scrolls to the note and the retry button below a long answer that was stopped',
      visiting(
        async ({ page }) => {
          await openStage(page, site);
          const { composer, log, button } = widgetOn(page);
          await composer.fill('Tell me all.');
          await page.keyboard.press('Enter');
          await page.evaluate(`stage.say('word '.repeat(2000))`);
          await settle(page);
          await button('Stop answering').click();
          assert.equal((await callsOf(page, 'cancel')).length, 1);
          if (isMoved) {
            await log.evaluate(inPage('(log) => log.scrollTo(0, 0)'));
            await settle(page);
          }
          // The answer ends when the service says so. Its sources stand below the note.
          await page.evaluate(`stage.finish('word '.repeat(2000), Array(12).fill('Orders'), {})`);
          await page.evaluate(
            `stage.say('word '.repeat(2000), { status: 'incomplete', error: { code: 'cancelled', message: '' } })`,
          );
          await settle(page);
          await settle(page);
          const note = page.getByText('You stopped this answer.');
          assert.equal(await isWithin(note, log), !isMoved);
          assert.equal(await isWithin(button('Try again'), log), !isMoved);
          if (isMoved)
            assert.equal(await log.evaluate(inPage<number>('(log) => log.scrollTop')), 0);
        },
        { viewport: { width: 320, height: 568 } },
      ),
    );

  for (const hasTouch of [false, true])
    it(
      `keeps the feedback form in view on a small screen after “Not helpful”, ${hasTouch ? 'by touch' : 'by mouse'}`,
      visiting(
        async ({ page }) => {
          await openStage(page, site);
          const { log, button } = widgetOn(page);
          await page.evaluate(
            `stage.set({ messages: [stage.question('Who?'), stage.answer('Anna. '.repeat(20), { reply: stage.reply('Anna. '.repeat(20)) }), stage.question('More?'), stage.question('And more?')] })`,
          );
          await settle(page);
          await log.evaluate(inPage('(log) => log.scrollTo(0, 9999)'));
          await settle(page);
          assert.equal(await button('Jump to latest').isVisible(), false);
          await button('Not helpful').click();
          await button('Ask a person').waitFor();
          await button('Jump to latest').waitFor();
          await settle(page);
          for (const name of ['Incorrect', 'Send', 'Ask a person'])
            assert.ok(await isWithin(button(name).first(), log), name);
        },
        { viewport: { width: 320, height: 568 }, hasTouch, isMobile: hasTouch },
      ),
    );
});

const settle = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))');

/** Whether the whole element is in view. */
async function isWithin(element: Locator, log: Locator): Promise<boolean> {
  const [inner, outer] = [await element.boundingBox(), await log.boundingBox()];
  assert.ok(inner && outer);
  return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
}
