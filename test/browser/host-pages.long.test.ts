import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { packageRoot } from '../../src/platform/package-root.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import {
  hostName,
  openWidgetWorld,
  widgetOn,
  type PutPage,
  type WidgetWorld,
} from './support/widget-world.js';

const question = 'How do I install the program on Linux?';

describeInBrowser('The widget on various pages', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  /** Opens the panel by its button, asks, and is answered. */
  const works = async (page: Page) => {
    const { open, ask, composer } = widgetOn(page);
    await open();
    await composer.click();
    const answer = await ask(question);
    assert.ok((await answer.innerText()).includes('apt install heron'));
    return answer;
  };

  const key = () => world.key.key.key;
  const pages: Record<string, () => PutPage> = {
    'under the strictest Content-Security-Policy': () => ({
      headers: { 'content-security-policy': world.strictPolicy },
    }),
    'under a policy with a nonce': () => ({
      page: 'nonce.html',
      values: { nonce: 'r4nd0m' },
      headers: {
        'content-security-policy':
          `script-src 'nonce-r4nd0m' 'strict-dynamic'; object-src 'none'; base-uri 'none'; ` +
          `connect-src ${world.gate.url} ${world.gate.url.replace('http', 'ws')}`,
      },
    }),
    'on a registered domain': () => ({ host: hostName }),
    'that unset and hide everything and have an overlay': () => ({ page: 'hostile.html' }),
  };
  const bare = (values: { head?: string; body?: string }): PutPage => ({
    page: 'bare.html',
    values: { head: '', body: '', ...values },
  });

  for (const [what, made] of Object.entries(pages))
    it(
      `opens and answers on pages ${what}`,
      visiting(async ({ page }) => {
        await page.goto(world.put('/', made()));
        await works(page);
        assert.equal(await page.locator('assistant-widget').count(), 1);
      }),
    );

  it(
    'can be imported as a module, and is started and removed by its functions',
    visiting(async ({ page }) => {
      const folder = join(packageRoot(), 'dist/widget-package');
      for (const name of readdirSync(folder).filter((name) => name.endsWith('.mjs')))
        world.site.put(`/${name}`, { body: readFileSync(join(folder, name), 'utf8') });
      const config = JSON.stringify({ apiKey: key(), apiUrl: world.gate.url });
      const body = `<script type="module">
        import { initAssistant, destroyAssistant, updateAssistant, Assistant } from '/assistant.mjs';
        window.imported = { destroyAssistant, updateAssistant, Assistant };
        initAssistant(${config});</script>`;
      await page.goto(world.put('/', bare({ body })));
      await works(page);
      await page.evaluate('imported.destroyAssistant()');
      assert.equal(await widgetOn(page).launcher.count(), 0);
    }),
  );

  it(
    'keeps its conversation and draft while a single-page app changes address, title and body',
    visiting(async ({ page }) => {
      await page.goto(world.put('/', { page: 'single-page.html' }));
      await works(page);
      const { composer, answers, ask, panel } = widgetOn(page);
      await composer.fill('half a question');
      await page.evaluate(`go('/prices', 'Prices')`);
      await page.evaluate('replaceBody()');
      assert.ok(await panel.isVisible());
      assert.equal(await composer.inputValue(), 'half a question');
      assert.equal(await answers.count(), 1);
      await ask('What does the Studio licence cost?');
      const { data } = await messagesOf();
      assert.equal(data.length, 4);
    }),
  );

  /** The stored messages of the latest conversation. */
  const messagesOf = async (): Promise<{ data: { role: string }[] }> => {
    const conversations = await world.test.app.db
      .read<{ id: string }>('conversations')
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1);
    const [{ id } = { id: '' }] = conversations;
    const data = await world.test.app.db
      .read<{ role: string }>('messages')
      .where('conversation_id', id);
    return { data };
  };
});

describeInBrowser('The widget of a service that does not allow localhost', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld({ config: { widget: { allow_localhost: false } } });
  });
  after(() => world.close());

  it(
    'works on a registered domain, whatever its port',
    visiting(async ({ page }) => {
      await page.goto(world.put('/', { host: hostName }));
      const { open, ask } = widgetOn(page);
      await open();
      assert.ok((await (await ask(question)).innerText()).includes('apt install heron'));
    }),
  );

  for (const host of ['localhost', 'elsewhere.example.com'])
    it(
      `says on ${host} that it is not available there, and in the console what an admin has to do`,
      visiting(async ({ page, expectProblem, problems }) => {
        expectProblem(/403|WebSocket|origin_not_allowed/);
        await page.goto(world.put('/', { host }));
        const { open, panel, composer } = widgetOn(page);
        await open();
        await panel.getByText('The assistant is not available on this page.').waitFor();
        assert.equal(await composer.isVisible(), false);
        assert.ok(problems.some((text) => /origin_not_allowed.*admin/.test(text)));
      }),
    );
});
