import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { updateRequest } from '../../src/requests/update-request.js';
import { callApi } from '../support/api-client.js';
import { addUser } from '../support/test-app.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from './support/widget-world.js';

describeInBrowser('A question for a person', () => {
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
    'is passed on if no answer was found, and its answer appears below it in the conversation',
    visiting(async ({ page }) => {
      const admin = await addUser(world.test, world.acme, 'admin');
      const question = 'Who painted the ceiling of the town hall in Zanzibar?';
      await page.goto(world.put('/', {}));
      const { open, ask, panel, button } = widgetOn(page);
      await open();
      const answer = await ask(question);
      await handOver(answer, 'visitor@example.com');
      await answer.getByText('Passed on. The answer will appear here.').waitFor();
      const requests = await callApi<{ data: { id: number; question: string }[] }>(
        `${world.test.url}/api/knowledge/requests`,
        { token: admin.token },
      );
      const [request] = requests.body.data;
      assert.equal(request?.question, question);
      const resolved = await callApi(`${world.test.url}/api/knowledge/requests/${request.id}`, {
        method: 'PUT',
        token: admin.token,
        body: { status: 'resolved', response: 'The painter **Juma** did.' },
      });
      assert.equal(resolved.status, 200);
      // The service pushes the answer into the open conversation, where it is seen and so marked as read.
      const read = page.waitForResponse((reply) => reply.url().endsWith('/read') && reply.ok());
      const personAnswer = panel.getByRole('article', { name: 'Answer from a person' });
      await personAnswer.getByText('Juma').waitFor();
      assert.equal(await personAnswer.locator('strong').innerText(), 'Juma');
      // The answer stands right below its question, which is not repeated. The note no longer promises an answer.
      const settled = async () => {
        // This text is only for screen readers. Others see the answer itself.
        await answer.getByText('Your question has been answered.').waitFor({ state: 'attached' });
        assert.equal(await answer.locator('.card:not(.sr)').filter({ visible: true }).count(), 0);
        assert.equal(await panel.getByText('Passed on. The answer will').count(), 0);
        assert.equal(await panel.getByText(question).count(), 1);
        assert.equal(await answer.getByRole('button', { name: 'Ask a person' }).count(), 0);
      };
      await settled();
      await read;
      await button(/Your question has been answered/).waitFor({ state: 'hidden' });
      // The answer stays in its place, and nothing is unread any more.
      await page.reload();
      await open();
      await personAnswer.getByText('Juma').waitFor();
      const order = await panel.getByRole('article').allInnerTexts();
      assert.deepEqual([order.length, order[2]?.includes('Juma')], [3, true]);
      await settled();
      assert.equal(await button(/Your question has been answered/).isVisible(), false);
      await button('New conversation').click();
      await button('Menu').click();
      await button('Conversations').click();
      await button(/^Who painted the ceiling/).click();
      await personAnswer.getByText('Juma').waitFor();
    }),
  );

  it(
    'has its answer counted as unread on the button if it came while the page was closed',
    visiting(async ({ page }) => {
      await page.goto(world.put('/', {}));
      const { open, ask } = widgetOn(page);
      await open();
      const answer = await ask('Which fish does the mayor of Timbuktu prefer?');
      await handOver(answer);
      await answer.getByText(/Passed on/).waitFor();
      await page.evaluate('Assistant.close()');
      await page.goto('about:blank');
      await resolveLast('Perch.');
      await page.goto(world.site.url('/'));
      await page.getByRole('button', { name: /Open assistant, 1 unread/ }).click();
      await page.getByText('Perch.').waitFor();
      await page.evaluate('Assistant.close()');
      await page.getByRole('button', { name: 'Open assistant', exact: true }).waitFor();
    }),
  );
});
