import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { updateRequest } from '../../src/requests/update-request.js';
import { callApi } from '../support/api-client.js';
import { tokenFor } from './support/people.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from './support/widget-world.js';

describeInBrowser('A question for a person, in other tabs and on other devices', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  /** Answers the latest question for a person, or replaces its answer. */
  const resolveLast = async (response: string) => {
    const last = await world.test.app.db
      .read<{ id: number }>('knowledge_requests')
      .orderBy('id', 'desc')
      .first();
    const change = { status: 'resolved' as const, response };
    await updateRequest(world.test.app, world.acme.operator, last?.id ?? 0, change);
  };

  /** Presses “Ask a person”, and fills in the e-mail address if the form asks for one. */
  const handOver = async (answer: Locator, email = '') => {
    const offer = answer.getByRole('button', { name: 'Ask a person' });
    await offer.click();
    const field = answer.getByRole('textbox', { name: /E-mail/ });
    await field.or(answer.getByText(/Passed on/)).waitFor();
    if (!(await field.isVisible())) return;
    await field.fill(email);
    await offer.click();
  };

  it(
    'is shown as passed on after a reload and in another tab, and later with its answer',
    visiting(async ({ page, context }) => {
      await page.goto(world.put('/', { attributes: { 'pii-masking': 'true' } }));
      const { open, ask, answers, panel } = widgetOn(page);
      await open();
      const answer = await ask('Which bus takes the mayor of Bergen to 192.168.1.7?');
      await handOver(answer);
      await answer.getByText(/Passed on/).waitFor();
      await ask('Which train does the mayor of Bergen take?');
      const second = await context.newPage();
      await second.goto(page.url());
      for (const tab of [page, second]) {
        await tab.reload();
        const there = widgetOn(tab);
        await there.open();
        await there.answers
          .first()
          .getByText(/Passed on/)
          .waitFor();
        const offer = { name: 'Ask a person' };
        assert.equal(await there.answers.first().getByRole('button', offer).count(), 0);
        await there.answers.nth(1).getByRole('button', offer).waitFor();
      }
      await page.bringToFront();
      const [asked] = await world.test.app.db
        .read<{ id: number; question: string }>('knowledge_requests')
        .whereLike('question', '%bus%');
      const resolved = { status: 'resolved' as const, response: 'Line 3.' };
      await updateRequest(world.test.app, world.acme.operator, asked?.id ?? 0, resolved);
      const personAnswer = panel.getByRole('article', { name: 'Answer from a person' });
      await personAnswer.getByText('Line 3.').waitFor();
      await page.reload();
      await open();
      await personAnswer.getByText('Line 3.').waitFor();
      await answers
        .first()
        .getByText('Your question has been answered.')
        .waitFor({ state: 'attached' });
      // Another question stands between: the card says which one it answers.
      await personAnswer.getByRole('heading', { name: /Which bus/ }).waitFor();
    }),
  );

  it(
    'keeps its answer after its conversation is deleted, unless the answer was read there',
    visiting(async ({ page }) => {
      await page.goto(world.put('/', {}));
      const { open, ask, button, panel, log } = widgetOn(page);
      await open();
      const remove = async (title: RegExp) => {
        await button('Menu').click();
        await button('Conversations').click();
        await button(title).click();
        await button('Delete').click();
        await panel.getByText('Nothing here.').waitFor();
        await button('Back').click();
      };
      const pass = async (question: string) => {
        const answer = await ask(question);
        await handOver(answer);
        await answer.getByText(/Passed on/).waitFor();
      };
      await pass('Which shoe does the mayor of Oslo lose?');
      await button('New conversation').click();
      await resolveLast('The left one.');
      const news = button(/Your question has been answered/);
      await news.waitFor();
      await remove(/^Delete “Which shoe/);
      const read = page.waitForResponse((reply) => reply.url().endsWith('/read') && reply.ok());
      await news.click();
      const card = panel.getByRole('article').filter({ hasText: 'The left one.' });
      await card.getByText('Which shoe does the mayor of Oslo lose?').waitFor();
      await read;
      await button('Back').click();
      // An answer that was read in its conversation is deleted with it.
      await pass('Which glove does the mayor of Oslo lose?');
      await resolveLast('The right one.');
      await log.getByText('The right one.').waitFor();
      await news.waitFor({ state: 'hidden' });
      await remove(/^Delete “Which glove/);
      await button('Menu').click();
      await button('Notifications').click();
      await panel.getByText('The left one.').waitFor();
      assert.equal(await panel.getByText('The right one.').count(), 0);
    }),
  );

  it(
    'is answered on another device of the same person, even without a WebSocket',
    visiting(async ({ page, another }) => {
      const attributes = { 'user-token': await tokenFor(world, 'nora') };
      await page.goto(world.put('/', { attributes }));
      const { open, ask } = widgetOn(page);
      await open();
      const answer = await ask('Which tea does the harbour master of Aden drink?');
      await handOver(answer);
      await answer.getByText(/Passed on/).waitFor();
      const elsewhere = (await another()).page;
      await elsewhere.addInitScript(
        'window.WebSocket = class { constructor() { throw new Error() } }',
      );
      await elsewhere.goto(world.site.url('/'));
      const there = widgetOn(elsewhere);
      await there.open();
      await there.log.getByText('Which tea does the harbour master').waitFor();
      await elsewhere.evaluate('Assistant.close()');
      await resolveLast('Green tea.');
      const personAnswer = (of: Page) => of.getByRole('article', { name: 'Answer from a person' });
      await personAnswer(page).getByText('Green tea.').waitFor();
      await elsewhere.reload();
      await there.open();
      await there.button('Menu').click();
      await there.button('Conversations').click();
      await there.button(/^Which tea does the harbour master/).click();
      await personAnswer(elsewhere).getByText('Green tea.').waitFor();
      // An answer that comes while the panel is closed is shown when it opens again.
      await elsewhere.evaluate('Assistant.close()');
      await resolveLast('Green tea, with mint.');
      await there.open();
      await personAnswer(elsewhere).getByText('Green tea, with mint.').waitFor();
      await there.button(/Your question has been answered/).waitFor({ state: 'hidden' });
    }),
  );

  it(
    'is marked as read in all tabs once its answer was seen in one',
    visiting(async ({ page, context }) => {
      const url = world.put('/', {});
      await page.goto(url);
      const { open, ask, panel } = widgetOn(page);
      await open();
      const answer = await ask('Which song does the mayor of Lima sing?');
      await handOver(answer);
      await answer.getByText(/Passed on/).waitFor();
      await page.evaluate('Assistant.close()');
      const second = await context.newPage();
      await second.goto(url);
      await widgetOn(second).open();
      await widgetOn(second).said(/./).waitFor();
      await second.evaluate('Assistant.close()');
      await resolveLast('A slow one.');
      for (const tab of [page, second])
        await tab.getByRole('button', { name: /Open assistant, 1 unread/ }).waitFor();
      await page.bringToFront();
      await open();
      await panel.getByText('A slow one.').waitFor();
      await second.getByRole('button', { name: 'Open assistant', exact: true }).waitFor();
    }),
  );

  it(
    'opens its conversation from the notification, or the list of notifications if it has none',
    visiting(async ({ page }) => {
      const token = await tokenFor(world, 'olaf');
      const url = world.put('/', { attributes: { 'user-token': token } });
      await page.goto(url);
      const { open, ask, button, panel } = widgetOn(page);
      await open();
      const answer = await ask('Which hat does the mayor of Quito wear?');
      await handOver(answer);
      await answer.getByText(/Passed on/).waitFor();
      await button('New conversation').click();
      await resolveLast('A straw hat.');
      await button(/Your question has been answered/).click();
      await panel.getByText('A straw hat.').waitFor();
      await button(/Your question has been answered/).waitFor({ state: 'hidden' });
      const headers = {
        ...{ Origin: new URL(url).origin, Authorization: `Bearer ${token}` },
      };
      const body = { question: 'Which boots does he wear?' };
      await callApi(`${world.test.url}/widget/requests`, { headers, body });
      await resolveLast('Brown ones.');
      await button(/Your question has been answered/).click();
      await panel.getByRole('heading', { name: 'Notifications' }).waitFor();
      await panel.getByText('Brown ones.').waitFor();
      await button('Back').click();
      await panel.getByRole('log').waitFor();
      assert.equal(await button(/Your question has been answered/).isVisible(), false);
    }),
  );
});
