import assert from 'node:assert/strict';
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

  it(
    'is passed on where no answer was found, and its answer is shown in the widget when it comes',
    visiting(async ({ page }) => {
      const admin = await addUser(world.test, world.acme, 'admin');
      const question = 'Who painted the ceiling of the town hall in Zanzibar?';
      await page.goto(world.put('/', {}));
      const { open, ask, panel, button } = widgetOn(page);
      await open();
      const answer = await ask(question);
      await answer.getByRole('textbox', { name: /E-mail/ }).fill('visitor@example.com');
      await answer.getByRole('button', { name: 'Ask a person' }).click();
      await answer.getByText('Passed on. You will find the answer here.').waitFor();
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
      // Pushed to the open panel, without anything being pressed.
      await button(/Your question has been answered/).click();
      const told = panel.getByRole('article').filter({ hasText: question });
      await told.getByText('Juma').waitFor();
      assert.equal(await told.locator('strong').innerText(), 'Juma');
      // Another page of the same visitor knows as well, until it is read.
      await page.reload();
      await open();
      await button(/Your question has been answered/).click();
      const read = page.waitForResponse((reply) => reply.url().endsWith('/read') && reply.ok());
      await told.getByRole('button').last().click();
      await read;
      await page.reload();
      await open();
      await panel.getByRole('log').waitFor();
      assert.equal(await button(/Your question has been answered/).isVisible(), false);
    }),
  );

  it(
    'shows the answer of a person as unread on the button, when it came while nobody looked',
    visiting(async ({ page }) => {
      const { operator } = world.acme;
      await page.goto(world.put('/', {}));
      const { open, ask, button } = widgetOn(page);
      await open();
      const answer = await ask('Which fish does the mayor of Timbuktu prefer?');
      await answer.getByRole('button', { name: 'Ask a person' }).click();
      await answer.getByText(/Passed on/).waitFor();
      await page.evaluate('Assistant.close()');
      await page.goto('about:blank');
      const { id } = (await world.test.app.db
        .read<{ id: number }>('knowledge_requests')
        .orderBy('id', 'desc')
        .first()) ?? { id: 0 };
      const change = { status: 'resolved' as const, response: 'Perch.' };
      await updateRequest(world.test.app, operator, id, change);
      await page.goto(world.site.url('/'));
      await page.getByRole('button', { name: /Open assistant, 1 unread/ }).click();
      await button(/Your question has been answered/).click();
      await page.getByText('Perch.').waitFor();
    }),
  );
});
