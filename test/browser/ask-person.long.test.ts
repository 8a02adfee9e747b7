import assert from 'node:assert/strict';
import type { HostSite } from './support/host-site.js';
import { callsOf, openStage, openStageSite } from './support/view-stage.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { widgetOn } from './support/widget-world.js';

describeInBrowser('The offer to ask a person', () => {
  let site: HostSite;
  before(async () => {
    site = await openStageSite();
  });
  after(() => site.close());

  const notFound = `stage.answer('None.', { reply: stage.reply('None.', [], { canRequest: true, found: false }) })`;

  it(
    'is a button below each answer that found nothing, and asks for an e-mail address when it is pressed',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await page.evaluate(
        `stage.set({ messages: [stage.question('Who?'), ${notFound}, stage.question('Where?'), ${notFound}] })`,
      );
      const { answers, panel } = widgetOn(page);
      const first = answers.first();
      const ask = { name: 'Ask a person', exact: true };
      await answers.last().getByRole('button', ask).waitFor();
      assert.equal(await panel.getByLabel('E-mail').filter({ visible: true }).count(), 0);
      await first.getByRole('button', ask).click();
      await first.getByLabel('E-mail').and(page.locator(':focus')).waitFor();
      assert.equal(await first.getByRole('button', ask).count(), 1);
      assert.equal(await answers.last().getByLabel('E-mail').isVisible(), false);
      await page.keyboard.press('Enter');
      await first.getByText('Passed on.').waitFor();
      assert.equal(await first.getByRole('button', ask).count(), 0);
      const asked = (await callsOf(page, 'askPerson')).map(([key]) => key);
      assert.deepEqual(asked, await page.evaluate('[stage.state.messages[1].key]'));
    }),
  );

  it(
    'needs only its button if the service knows the e-mail address, and keeps the focus',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await page.evaluate(`stage.set({ identity: { kind: 'end_user', displayName: 'Ada', hasEmail: true },
        messages: [stage.question('Who?'), ${notFound}] })`);
      const { button, panel } = widgetOn(page);
      await button('Ask a person').press('Enter');
      await panel.getByText('Passed on.').and(page.locator(':focus')).waitFor();
      assert.equal((await callsOf(page, 'askPerson')).length, 1);
    }),
  );

  it(
    'is a button below an answer to a part of the question',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await page.evaluate(`stage.set({ messages: [stage.question('Who? And where?'),
        stage.answer('Ada. I found nothing on “And where”.', { reply: stage.reply('Ada.', ['Orders'], { canRequest: true }) })] })`);
      const { button, panel } = widgetOn(page);
      await button('Helpful').waitFor();
      await button('Ask a person').waitFor();
      assert.equal(await panel.getByLabel('E-mail').isVisible(), false);
      await button('Ask a person').click();
      await panel.getByLabel('E-mail').and(page.locator(':focus')).waitFor();
    }),
  );

  it(
    'appears without buttons for rating and copying if nothing was found',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await page.evaluate(`stage.set({ messages: [stage.question('Who?'), ${notFound}] })`);
      const { button } = widgetOn(page);
      await button('Ask a person').waitFor();
      for (const name of ['Helpful', 'Not helpful', 'Copy answer'])
        assert.equal(await button(name).count(), 0, name);
    }),
  );

  it(
    'reports an invalid e-mail address by its field, in the panel’s language',
    visiting(async ({ page }) => {
      await openStage(page, site, { options: { language: 'de' }, open: false });
      await page.evaluate(`stage.view.open(); stage.set({ messages: [stage.question('Who?'),
        stage.answer('None.', { reply: stage.reply('None.', [], { canRequest: true, found: false }) })] })`);
      const { panel, button } = widgetOn(page, 'de');
      await button('Einen Menschen fragen').click();
      const email = panel.getByLabel('E-Mail');
      await email.fill('ada');
      await page.keyboard.press('Enter');
      await panel.getByText('Bitte prüfen Sie die Adresse.').waitFor();
      assert.equal(await email.getAttribute('aria-invalid'), 'true');
      // The message stands by the field, in the colour of errors, until the text changes.
      const message = page.locator(`#${await email.getAttribute('aria-describedby')}`);
      assert.equal(await message.innerText(), 'Bitte prüfen Sie die Adresse.');
      const colours =
        await page.evaluate(`[...stage.root.querySelectorAll('[aria-invalid=true],.card .bad')].map((one) =>
        getComputedStyle(one)[one.localName === 'input' ? 'borderTopColor' : 'color'])`);
      assert.deepEqual(colours, ['rgb(179, 38, 30)', 'rgb(179, 38, 30)']);
      const [field, said, send] = await Promise.all(
        [email, message, panel.locator('.card .main').last()].map((one) => one.boundingBox()),
      );
      assert.ok(field && said && send && field.y < said.y && said.y < send.y);
      assert.deepEqual(await callsOf(page, 'askPerson'), []);
      await email.fill('ad');
      assert.equal(await email.getAttribute('aria-invalid'), 'false');
      assert.equal(await message.innerText(), '');
      assert.equal(await page.evaluate('stage.root.querySelector(".card form").noValidate'), true);
      // A host without a dot receives no mail from outside, so it is a typing error.
      await email.fill('ada@example');
      await page.keyboard.press('Enter');
      await panel.getByText('Bitte prüfen Sie die Adresse.').waitFor();
      assert.deepEqual(await callsOf(page, 'askPerson'), []);
      await email.fill('ada@example.com');
      await page.keyboard.press('Enter');
      assert.equal((await callsOf(page, 'askPerson')).length, 1);
    }),
  );
});
