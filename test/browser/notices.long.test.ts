import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { HostSite } from './support/host-site.js';
import { inPage } from './support/in-page.js';
import { callsOf, openStage, openStageSite } from './support/view-stage.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { widgetOn } from './support/widget-world.js';

const earlier = {
  en: ['Continue the conversation from before you signed in', 'No, thanks'],
  es: ['Continuar la conversación anterior al inicio de sesión', 'No, gracias'],
  de: ['Unterhaltung von vor der Anmeldung fortsetzen', 'Nein, danke'],
} as const;

const notice = {
  ...{ id: 1, isAnswer: true, question: 'Who?', response: 'Anna.', conversationId: 'c1' },
  ...{ createdAt: '2026-11-21T10:00:00.000Z', read: false },
};

describeInBrowser('The notices above the conversation', () => {
  let site: HostSite;
  before(async () => {
    site = await openStageSite();
  });
  after(() => site.close());

  it(
    'are shown one at a time: the connection, then an answer from a person, then the earlier conversation',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const { panel, button } = widgetOn(page);
      const [continueEarlier] = earlier.en;
      const seen = async () => {
        const all = [
          panel.getByText('You are offline.'),
          button('Your question has been answered.'),
          button(continueEarlier),
        ];
        const visible = await Promise.all(all.map((one) => one.isVisible()));
        return visible.flatMap((is, at) => (is ? [at] : []));
      };
      await page.evaluate('stage.hasEarlier = true');
      await set(page, { connection: 'offline', notifications: [notice] });
      assert.deepEqual(await seen(), [0]);
      await set(page, { connection: 'online' });
      assert.deepEqual(await seen(), [1]);
      await set(page, { notifications: [] });
      assert.deepEqual(await seen(), [2]);
    }),
  );

  it(
    'are separated by a line from a note that the conversation was deleted',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const { panel, button } = widgetOn(page);
      await set(page, { deleted: true, notifications: [notice] });
      const said = panel.getByText('This conversation was deleted.');
      await button('Your question has been answered.').waitFor();
      const width = await said.evaluate(
        inPage<string>('(element) => getComputedStyle(element).borderBottomWidth'),
      );
      assert.equal(width, '1px');
    }),
  );

  for (const language of ['en', 'es', 'de'] as const)
    it(
      `let a reader decline or continue the earlier conversation, with the focus in the panel (${language})`,
      visiting(async ({ page }) => {
        await page.goto(site.url('/'));
        await page.evaluate(`stage.hasEarlier = true`);
        await page.evaluate(`stage.mount({ language: '${language}' })`);
        const { button, open, panel } = widgetOn(page, language);
        await open();
        const [continueEarlier, decline] = earlier[language];
        await button(continueEarlier).waitFor();
        await button(decline).press('Enter');
        assert.deepEqual(await callsOf(page, 'settleEarlier'), [[false]]);
        for (const name of [continueEarlier, decline])
          assert.equal(await button(name).isVisible(), false, name);
        assert.equal(await panel.locator(':focus').count(), 1);
        await page.evaluate('stage.hasEarlier = true');
        await set(page, {});
        await button(continueEarlier).press('Enter');
        assert.deepEqual(await callsOf(page, 'settleEarlier'), [[false], [true]]);
        assert.equal(await panel.locator(':focus').count(), 1);
      }),
    );
});

const set = (page: Page, change: object) => page.evaluate(`stage.set(${JSON.stringify(change)})`);
