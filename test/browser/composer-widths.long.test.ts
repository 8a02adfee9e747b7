import assert from 'node:assert/strict';
import type { HostSite } from './support/host-site.js';
import { ask, openStage, openStageSite } from './support/view-stage.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { widgetOn } from './support/widget-world.js';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describeInBrowser('The composer of the panel in every language and width', () => {
  let site: HostSite;
  before(async () => {
    site = await openStageSite();
  });
  after(() => site.close());

  for (const language of ['en', 'es', 'de'] as const)
    it(
      `has its initial height again after an answer is stopped or ends, in ${language}`,
      visiting(async ({ page }) => {
        await openStage(page, site, { options: { language }, open: false });
        await page.evaluate('stage.view.open()');
        const { composer, panel } = widgetOn(page, language);
        const height = async () => (await composer.boundingBox())?.height;
        const before = await height();
        for (const end of ['stop', 'stage']) {
          await ask(page);
          await composer.fill(' ');
          await composer.fill('');
          if (end === 'stop') await panel.locator('.stop').click();
          await page.evaluate(`stage.finish('So it goes.')`);
          assert.equal(await height(), before, end);
        }
      }, phone),
    );

  for (const width of [320, 390, 1280])
    it(
      `has a “Jump to latest” button that covers no text, at ${width} pixels`,
      visiting(
        async ({ page }) => {
          await openStage(page, site);
          await ask(page);
          await page.evaluate(`stage.finish('word '.repeat(900))`);
          const { button, log } = widgetOn(page);
          const jump = (await button('Jump to latest').boundingBox()) ?? assert.fail();
          const text = (await log.boundingBox()) ?? assert.fail();
          assert.ok(jump.y >= text.y + text.height, `${jump.y}, ${text.y + text.height}`);
          await button('Jump to latest').click();
          await button('Jump to latest').waitFor({ state: 'hidden' });
        },
        { viewport: { width, height: 700 } },
      ),
    );
});
