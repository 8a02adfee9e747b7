import assert from 'node:assert/strict';
import type { HostSite } from './support/host-site.js';
import { ask, callsOf, openStage, openStageSite } from './support/view-stage.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { widgetOn } from './support/widget-world.js';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describeInBrowser('The composer of the panel', () => {
  let site: HostSite;
  before(async () => {
    site = await openStageSite();
  });
  after(() => site.close());

  it(
    'grows with its text, and is not measured while an answer streams',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await ask(page);
      await page.evaluate(`window.measured = 0;
        const { get } = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollHeight');
        Object.defineProperty(HTMLTextAreaElement.prototype, 'scrollHeight', { get() { measured += 1; return get.call(this); } });
        for (let words = 1; words < 30; words += 1) stage.say('word '.repeat(words));`);
      assert.equal(await page.evaluate('measured'), 0);
      const { composer } = widgetOn(page);
      const height = async () => (await composer.boundingBox())?.height ?? 0;
      const before = await height();
      await composer.fill('One\ntwo\nthree');
      assert.ok((await height()) > before + 20);
      await page.keyboard.press('Enter');
      assert.equal(await height(), before);
    }),
  );

  it(
    'gives most of its width to the text field on a phone, beside a labelled stop button',
    visiting(
      async ({ page }) => {
        await openStage(page, site);
        await ask(page);
        const { composer, button } = widgetOn(page);
        const { width } = (await button('Stop answering').boundingBox()) ?? assert.fail();
        assert.ok(width < 50, `${width}`);
        assert.ok(((await composer.boundingBox())?.width ?? 0) > 200);
      },
      { ...phone, viewport: { width: 320, height: 568 } },
    ),
  );

  it(
    'has a labelled button that stops the answer',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await ask(page);
      const { button } = widgetOn(page);
      assert.equal(await button('Stop answering').getAttribute('title'), 'Stop answering');
      await button('Stop answering').click();
      assert.equal((await callsOf(page, 'cancel')).length, 1);
    }),
  );

  it(
    'allows no retry for a while after too many messages, and shows how long to wait',
    visiting(async ({ page }) => {
      await page.clock.install();
      await openStage(page, site);
      const { button, panel } = widgetOn(page);
      const failed = (retryAfter: number) =>
        page.evaluate(
          `stage.set({ messages: [stage.question('Late', { status: 'failed', error: { code: 'rate_limited', message: '', retryAfter: ${retryAfter} } })] })`,
        );
      await failed(40 * 86_400);
      await panel.getByText('Try again in 40 days.').waitFor();
      await page.clock.runFor(5000);
      assert.equal(await button('Try again').isDisabled(), true);
      await failed(30);
      await panel.getByText('Try again in 30 seconds.').waitFor();
      await page.clock.runFor(10_000);
      await panel.getByText('Try again in 20 seconds.').waitFor();
      assert.equal(await button('Try again').isDisabled(), true);
      await page.clock.runFor(21_000);
      assert.equal(await button('Try again').isDisabled(), false);
      assert.equal(await panel.getByText('Too many messages').count(), 0);
      await button('Try again').click();
      assert.equal((await callsOf(page, 'retry')).length, 1);
    }),
  );

  it(
    'aligns its text field with the send button on a phone',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const middles = await page.evaluate<number[]>(`['textarea', '.send'].map((one) => {
        const { top, height } = stage.root.querySelector(one).getBoundingClientRect();
        return Math.round(top + height / 2);
      })`);
      assert.equal(middles[0], middles[1]);
    }, phone),
  );
});
