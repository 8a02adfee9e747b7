import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { inPage } from './support/in-page.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from './support/widget-world.js';

/** Five turns each; what the answer must say. */
const talks = {
  en: [
    ['How do I install the program on Linux?', 'apt install heron'],
    ['And on Windows?', 'heron.msi'],
    ['How long does that take?', 'twelve minutes'],
    ['Why are administrator rights needed?', 'since a service is registered'],
    ['And what does the Studio licence cost?', '11 euros'],
  ],
  es: [
    ['¿Cómo instalo el programa en Linux?', 'apt install garza'],
    ['¿Y en Windows?', 'garza.msi'],
    ['¿Cuánto tarda eso?', 'doce minutos'],
    ['¿Por qué se necesitan derechos de administrador?', 'ya que se registra un servicio'],
    ['¿Y cuánto cuesta la licencia Estudio?', '11 euros'],
  ],
  de: [
    ['Wie installiere ich das Programm unter Linux?', 'apt install reiher'],
    ['Und unter Windows?', 'reiher.msi'],
    ['Wie lange dauert das?', 'zwölf Minuten'],
    ['Warum sind Administratorrechte nötig?', 'da ein Dienst eingetragen wird'],
    ['Und was kostet die Lizenz Studio?', '11 Euro'],
  ],
} as const;

describeInBrowser('A conversation in the widget, further on', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  it(
    'shows the code of an answer with a button that copies it, and the table as a table',
    visiting(async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(world.put('/', {}));
      const { open, ask } = widgetOn(page);
      await open();
      const answer = await ask(talks.en[0][0]);
      assert.equal((await answer.locator('pre code').innerText()).trim(), 'apt install heron');
      await answer.getByRole('button', { name: 'Copy', exact: true }).click();
      await answer.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      assert.equal(copied.trim(), 'apt install heron');
      const priced = await ask(talks.en[4][0]);
      assert.ok((await priced.getByRole('table').innerText()).includes('Studio'));
    }),
  );

  it(
    'keeps what was thought of an answer, and takes it back at a second press',
    visiting(async ({ page }) => {
      await page.goto(world.put('/', {}));
      const { open, ask } = widgetOn(page);
      await open();
      const answer = await ask(talks.en[0][0]);
      const [up, down] = ['Helpful', 'Not helpful'].map((name) =>
        answer.getByRole('button', { name, exact: true }),
      );
      assert.ok(up !== undefined && down !== undefined);
      const pressed = async () => [
        await up.getAttribute('aria-pressed'),
        await down.getAttribute('aria-pressed'),
      ];
      const saved = () =>
        page.waitForResponse((reply) => reply.url().endsWith('/widget/feedback') && reply.ok());
      await Promise.all([saved(), down.click()]);
      assert.deepEqual(await pressed(), ['false', 'true']);
      await Promise.all([saved(), up.click()]);
      assert.deepEqual(await pressed(), ['true', 'false']);
      const [taken] = await Promise.all([saved(), up.click()]);
      assert.deepEqual(await taken.json(), { rating: null });
      assert.deepEqual(await pressed(), ['false', 'false']);
      await Promise.all([saved(), down.click()]);
      await answer.getByRole('button', { name: 'Incorrect' }).click();
      await Promise.all([saved(), answer.getByRole('button', { name: 'Send' }).click()]);
      await answer.getByText('Thank you').waitFor();
      const stored = await world.test.app.db.read('message_feedback').pluck<string[]>('comment');
      assert.deepEqual(stored, ['Incorrect']);
    }),
  );

  it(
    'begins a new conversation, lists the earlier ones, and goes back to one',
    visiting(async ({ page }) => {
      await page.goto(world.put('/', {}));
      const { open, ask, button, questions, panel, said } = widgetOn(page);
      await open();
      await ask(talks.en[0][0]);
      await button('New conversation').first().click();
      await questions.first().waitFor({ state: 'detached' });
      const other = await ask('What does the Studio licence cost?');
      assert.ok((await other.innerText()).includes('11 euros'));
      await button('Menu').click();
      await button('Conversations').click();
      await panel.getByRole('button', { name: /^How do I install the program on Linux/ }).click();
      await said('apt install heron').waitFor();
      assert.equal(await questions.count(), 1);
      await button('Menu').click();
      await button('Conversations').click();
      await button(/^Delete “.*on Linux/).click();
      await button('Delete').click();
      await button(/on Linux/)
        .first()
        .waitFor({ state: 'detached' });
      await button('Back').click();
      await questions.first().waitFor({ state: 'detached' });
      await page.reload();
      await open();
      await button('Menu').click();
      await button('Conversations').click();
      await button(/^What does the Studio/).waitFor();
      assert.equal(await button(/on Linux/).count(), 0);
    }),
  );
});

describeInBrowser('A conversation with a model', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld({ config: { answers: { mode: 'auto' } } });
  });
  after(() => world.close());
  afterEach(() => {
    world.ollama.stallAfter = undefined;
    world.ollama.release();
  });
  const long = `First sentence of it [1]. ${'And then it goes on and on about herons. '.repeat(30)}`;

  it(
    'shows the beginning of a long answer, and leaves a reader who has scrolled where they are',
    visiting(async ({ page }) => {
      world.ollama.answer = () => long.repeat(3);
      world.ollama.stallAfter = 200;
      await page.goto(world.put('/', {}));
      const { open, composer, answers, log, questions, said } = widgetOn(page);
      await open();
      await composer.fill(talks.en[0][0]);
      await composer.press('Enter');
      await said(/on and on/).waitFor();
      await page.waitForFunction(
        `document.querySelector('assistant-widget').shadowRoot.querySelector('article.answer').textContent.length > 600`,
      );
      assert.ok(await inView(questions.first(), log), 'the question is still in view');
      await log.evaluate(inPage('(element) => element.scrollTo(0, 20)'));
      // It may not have come as far yet as where it stalls.
      world.ollama.stallAfter = undefined;
      world.ollama.release();
      await answers.getByRole('button', { name: 'Helpful', exact: true }).waitFor();
      assert.ok((await log.evaluate(inPage<number>('(element) => element.scrollTop'))) < 60);
      await page.getByRole('button', { name: 'Jump to latest' }).click();
      await page.waitForFunction(
        `(() => { const log = document.querySelector('assistant-widget').shadowRoot.querySelector('[role=log]');
          return log.scrollHeight - log.scrollTop - log.clientHeight < 40; })()`,
      );
    }),
  );
});

async function inView(element: Locator, within: Locator): Promise<boolean> {
  const [inner, outer] = [await element.boundingBox(), await within.boundingBox()];
  if (inner === null || outer === null) return false;
  return inner.y + inner.height > outer.y && inner.y < outer.y + outer.height;
}
