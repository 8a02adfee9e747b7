import assert from 'node:assert/strict';
import { storeEntry } from '../support/stored-entry.js';
import { inPage } from './support/in-page.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from './support/widget-world.js';

/** Five questions in each language, with a part of the expected answer. */
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

describeInBrowser('A conversation in the widget', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  for (const language of ['en', 'es', 'de'] as const)
    it(
      `answers five questions in a row in the language of the page, ${language}`,
      visiting(async ({ page }) => {
        const address = world.put(`/${language}`, { values: { language } });
        await page.goto(address);
        const { open, ask, answers } = widgetOn(page, language);
        await open();
        for (const [question, said] of talks[language]) {
          const answer = await ask(question);
          assert.ok((await answer.innerText()).includes(said), `${question}: ${said}`);
        }
        assert.equal(await answers.count(), 5);
      }),
    );

  it(
    'shows a source with a link to its page and an excerpt, which its citation opens too',
    visiting(async ({ page, context }) => {
      world.put('/install/linux', {});
      await page.goto(world.put('/', {}));
      const { open, ask } = widgetOn(page);
      await open();
      const answer = await ask(talks.en[0][0]);
      const link = answer.getByRole('link', { name: /Installing on Linux/ });
      assert.equal(await link.getAttribute('href'), world.site.url('/install/linux'));
      assert.match((await link.getAttribute('rel')) ?? '', /noopener/);
      const row = answer.getByRole('listitem').filter({ hasText: 'Installing on Linux' });
      const excerpt = row.getByText(/package source/);
      await excerpt.waitFor({ state: 'hidden' });
      await row.locator('summary').click();
      await excerpt.waitFor();
      await row.locator('summary').click();
      await excerpt.waitFor({ state: 'hidden' });
      await answer
        .getByRole('button', { name: /Source 1/ })
        .first()
        .click();
      await excerpt.waitFor();
      await link.click();
      await page.waitForURL('**/install/linux');
      assert.deepEqual(context.pages(), [page]);
      await excerpt.waitFor({ state: 'attached' });
    }),
  );

  it(
    'offers the configured first questions, and asks the one that is pressed',
    visiting(async ({ page }) => {
      const suggestions = `${talks.en[0][0]}|${talks.en[4][0]}`;
      await page.goto(world.put('/', { attributes: { suggestions } }));
      const { open, questions, button, said } = widgetOn(page);
      await open();
      await button(talks.en[4][0]).waitFor();
      await button(talks.en[0][0]).click();
      await said('apt install heron').waitFor();
      assert.equal(await questions.innerText(), talks.en[0][0]);
      assert.equal(await button(talks.en[4][0]).isVisible(), false);
    }),
  );

  it(
    'renders no HTML of an answer, and makes links only of http, https and mailto addresses',
    visiting(async ({ page }) => {
      const { acme, test } = world;
      const content =
        'The heron feeder is filled <img src=x onerror="window.hacked=1"> by <b>hand</b>. ' +
        'See [the page](javascript:window.hacked=1) and [the other](https://heron.example/feeder).';
      await storeEntry(test, acme, { title: 'Heron feeder', content });
      await page.goto(
        world.put('/', { headers: { 'content-security-policy': world.strictPolicy } }),
      );
      const { open, ask } = widgetOn(page);
      await open();
      const answer = await ask('How is the heron feeder filled?');
      const text = answer.locator('.text');
      assert.equal(await text.locator('img, b, script').count(), 0);
      const hrefs = await answer
        .locator('a')
        .evaluateAll(inPage<string[]>('(links) => links.map((link) => link.href)'));
      assert.deepEqual(
        hrefs.filter((href) => !/^(https?|mailto):/.test(href)),
        [],
      );
      assert.equal(await page.evaluate('window.hacked'), undefined);
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
    'streams an answer, and shows its sources at the end',
    visiting(async ({ page }) => {
      world.ollama.answer = () => 'On Linux run **apt install heron** as root [1].';
      world.ollama.stallAfter = 3;
      await page.goto(world.put('/', {}));
      const { open, composer, answers, button } = widgetOn(page);
      await open();
      await composer.fill(talks.en[0][0]);
      await composer.press('Enter');
      const answer = answers.last();
      await answer.getByText(/On Linux/).waitFor();
      assert.equal(await answer.getAttribute('aria-busy'), 'true');
      assert.equal(await answer.getByRole('button', { name: 'Helpful' }).count(), 0);
      await button('Stop answering').waitFor();
      world.ollama.release();
      await answer.getByRole('button', { name: 'Helpful', exact: true }).waitFor();
      assert.equal(await answer.locator('strong').innerText(), 'apt install heron');
      assert.ok(await answer.getByRole('link', { name: /Installing on Linux/ }).isVisible());
    }),
  );

  it(
    'stops an answer and its model at a press, and keeps the text so far',
    visiting(async ({ page }) => {
      world.ollama.answer = () => long;
      world.ollama.stallAfter = 5;
      const aborted = world.ollama.aborted;
      await page.goto(world.put('/', {}));
      const { open, composer, answers, button, said } = widgetOn(page);
      await open();
      await composer.fill(talks.en[0][0]);
      await composer.press('Enter');
      await said(/First sentence/).waitFor();
      await button('Stop answering').click();
      await answers.getByText('You stopped this answer.').waitFor();
      assert.ok(await said(/First sentence/).isVisible());
      await world.ollama.until(() => world.ollama.aborted > aborted);
      // The next question is answered.
      world.ollama.stallAfter = undefined;
      await composer.fill('And on Windows?');
      await composer.press('Enter');
      await answers.nth(1).getByRole('button', { name: 'Helpful', exact: true }).waitFor();
    }),
  );
});
