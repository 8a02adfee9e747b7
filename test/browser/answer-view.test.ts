import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { liveTexts } from './support/accessibility.js';
import type { HostSite } from './support/host-site.js';
import { ask, callsOf, finish, openStage, openStageSite } from './support/view-stage.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { widgetOn } from './support/widget-world.js';

describeInBrowser('An answer in the panel', () => {
  let site: HostSite;
  before(async () => {
    site = await openStageSite();
  });
  after(() => site.close());

  it(
    'is announced without Markdown signs once it is complete, and the announcement is then removed',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await ask(page);
      await page.evaluate(`window.later = []; window.setTimeout = (call) => later.push(call)`);
      const text =
        'Run it [1], then:\n\n```sh\nnpm install\n```\n\n- first\n- *second* [1].\n\n| A | B |\n|---|---|\n| 1 | 2 |';
      await page.evaluate(`stage.say(${JSON.stringify(text.slice(0, 40))})`);
      assert.deepEqual(await liveTexts(page), []);
      const answer = widgetOn(page).answers.first();
      assert.equal(await answer.getAttribute('aria-busy'), 'true');
      await finish(page, text, ['Orders']);
      assert.equal(await answer.getAttribute('aria-busy'), 'false');
      const words = ['Run it, then:', 'npm install', 'first', 'second.', 'A', 'B', '1', '2'];
      assert.deepEqual(await liveTexts(page), words);
      await page.evaluate('for (const call of later) call()');
      assert.deepEqual(await liveTexts(page), []);
    }),
  );

  it(
    'says that it was stopped or is incomplete, and offers another try below its text',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const { answers, button } = widgetOn(page);
      const reasons: [string, string, string][] = [
        ["{ code: 'cancelled', message: '' }", 'complete', 'You stopped this answer.'],
        ["{ code: 'internal', message: '' }", 'failed', 'This answer is incomplete.'],
        ['undefined', 'complete', 'This answer is incomplete.'],
      ];
      for (const [error, status, words] of reasons) {
        await page.evaluate(`stage.set({ messages: [
          stage.question('How?', { status: '${status}', error: ${error} }),
          stage.answer('Some of it', { status: 'incomplete', error: ${error} })] })`);
        await answers.getByText(words).waitFor();
        assert.equal(await button('Try again').count(), 1, words);
        const [said, tried] = await Promise.all(
          [answers.getByText('Some of it'), button('Try again')].map((one) => one.boundingBox()),
        );
        assert.ok(said && tried && tried.y >= said.y + said.height, words);
        await button('Try again').click();
      }
      assert.deepEqual(await callsOf(page, 'send'), [['How?'], ['How?']]);
      assert.equal((await callsOf(page, 'retry')).length, 1);
    }),
  );

  it(
    'is copied as Markdown with its sources, and says which sentences are unconfirmed or that it is incomplete',
    visiting(async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await openStage(page, site);
      await ask(page);
      const text = 'Open **Orders** [1]. Press it.\n\n- Then [2] wait.';
      const unsupported = [
        { from: 0, to: 20 },
        { from: 21, to: 30 },
        { from: 34, to: text.length },
      ];
      await finish(page, text, ['Orders', 'Refunds'], JSON.stringify({ unsupported }));
      const { button } = widgetOn(page);
      const copied = async () => {
        await button('Copy answer').click();
        await button('Copied').waitFor();
        return page.evaluate('navigator.clipboard.readText()');
      };
      const place = `handbook.pdf · pp. 3–4 · ${site.url('/help/orders')}`;
      // Each label stands where the panel shows it.
      const written =
        'Open **Orders** [1]. Press it. (unconfirmed)\n\n- Then [2] wait. (unconfirmed)';
      const sources = `Sources:\n[1] Orders · ${place}\n[2] Refunds`;
      const legend = '“Unconfirmed”: not supported by the sources.';
      assert.equal(await copied(), `${written}\n\n${legend}\n\n${sources}`);
      await page.evaluate(`stage.set({ messages: [stage.question('How?'),
        stage.answer('Some of', { status: 'incomplete', reply: stage.reply('Some of') })] })`);
      assert.equal(await copied(), 'Some of\n\nThis answer is incomplete.');
    }),
  );

  it(
    'names the document and pages of a source, and does not repeat a document that the title names',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await ask(page);
      await finish(page, 'So [1] and so [2].', ['Orders', 'Refunds']);
      const sources = page.locator('.sources li');
      await sources.first().getByText('handbook.pdf · pp. 3–4').waitFor();
      assert.match(await sources.nth(1).innerText(), /^2\s+Refunds$/);
      await ask(page);
      await finish(page, 'So [1].', ['handbook']);
      assert.match(await sources.first().innerText(), /^1\s+handbook\s+pp\. 3–4 · /);
    }),
  );

  it(
    'marks a source whose entry has changed',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await ask(page);
      const source = { type: 'knowledge', number: 1, id: 'k1', title: 'Orders', excerpt: 'Wait.' };
      const sources = [{ ...source, url_pattern: '/orders/:id', changed: true }];
      await finish(page, 'So [1].', [], JSON.stringify({ sources }));
      const listed = page.locator('.sources li');
      await listed.waitFor();
      assert.match(await listed.innerText(), /^1\s+Orders\s+changed$/);
    }),
  );

  it(
    'links a source that was read from a page of the web to its place there',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await ask(page);
      const source = { type: 'knowledge', number: 1, id: 'k1', title: 'Orders', excerpt: 'Wait.' };
      const url = 'https://docs.other.example/orders#waiting';
      const sources = [{ ...source, url_pattern: '/*', url }];
      await finish(page, 'So [1].', [], JSON.stringify({ sources }));
      const link = page.locator('.sources li a');
      await link.waitFor();
      assert.deepEqual(
        [await link.getAttribute('href'), await link.getAttribute('rel')],
        [url, 'noopener noreferrer'],
      );
    }),
  );

  /** Shows an answer with a source of each address, and gives their links. */
  const cite = async (page: Page, options: object, urls: string[]) => {
    await openStage(page, site, { options });
    await ask(page);
    const sources = urls.map((url, index) => {
      const source = { type: 'knowledge', number: index + 1, id: `k${index}`, title: url };
      return { ...source, excerpt: 'Wait.', url_pattern: '/*', url };
    });
    await finish(page, 'So [1].', [], JSON.stringify({ sources }));
    return page.locator('.sources li a');
  };

  it(
    'opens a source of the page’s own site in the page, at its place, and any other in a new tab',
    visiting(async ({ page }) => {
      const place = site.url('/#end');
      const others = [site.url('/guide.pdf#page=3'), 'https://docs.other.example/orders'];
      const links = await cite(page, {}, [place, ...others]);
      await page.evaluate('window.isSame = true');
      await links.first().click();
      await page.waitForURL(place);
      assert.equal(await page.evaluate('window.isSame && scrollY > 0'), true);
      assert.equal(await page.getByRole('dialog').isVisible(), true);
      await page.evaluate('addEventListener("click", (event) => event.preventDefault())');
      for (const index of [1, 2]) await links.nth(index).click();
      const targets = await links.evaluateAll((all) =>
        all.map((one) => one.getAttribute('target')),
      );
      assert.deepEqual(targets, ['_self', '_blank', '_blank']);
    }),
  );

  const lists: [string, string, string[]][] = [
    ['every source in a new tab', 'none', ['_blank', '_blank']],
    ['sources of the sites that the host names', 'https://docs.example.com/', ['_blank', '_self']],
    ['no source of another site', ' https://docs.example.co  x', ['_blank', '_blank']],
  ];
  for (const [what, linksInPage, expected] of lists)
    it(
      `opens ${what}, if the host wants that`,
      visiting(async ({ page }) => {
        const urls = [site.url('/#end'), 'https://docs.example.com/orders'];
        const links = await cite(page, { linksInPage }, urls);
        await page.evaluate('addEventListener("click", (event) => event.preventDefault())');
        for (const link of await links.all()) await link.click();
        const targets = await links.evaluateAll((all) =>
          all.map((one) => one.getAttribute('target')),
        );
        assert.deepEqual(targets, expected);
      }),
    );

  it(
    'closes the panel of a small screen for a source in the page',
    visiting(
      async ({ page }) => {
        const links = await cite(page, {}, [site.url('/#end')]);
        await links.first().click();
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
        await page.waitForFunction('scrollY > 0');
      },
      { viewport: { width: 390, height: 740 } },
    ),
  );

  it(
    'shows the citations of a table and of a code block inside them',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await ask(page);
      const text =
        'The prices:\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n[1]\n\n```sh\nnpm install\n```\n\n[2]\n\nDone.';
      for (let end = 1; end < text.length; end += 1)
        await page.evaluate(`stage.say(${JSON.stringify(text.slice(0, end))})`);
      await finish(page, text, ['Orders', 'Refunds']);
      const { panel, button } = widgetOn(page);
      await panel.getByRole('cell', { name: '2 Source 1: Orders' }).waitFor();
      const code = panel.locator('.code');
      await code.getByRole('button', { name: 'Source 2: Refunds' }).waitFor();
      assert.equal(await code.locator('pre').innerText(), 'npm install');
      assert.deepEqual(await panel.locator('.text > p').allInnerTexts(), ['The prices:', 'Done.']);
      await button('Source 2: Refunds').click();
      await panel.getByText('What Refunds says.').waitFor();
    }),
  );

  it(
    'asks what was wrong after “Not helpful”, stores a reason with a comment, and offers to ask a person',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await ask(page);
      await finish(page, 'So it goes.');
      const { button, panel } = widgetOn(page);
      const why = panel.getByText('What was wrong?');
      assert.equal(await why.count(), 0);
      await button('Not helpful').click();
      assert.equal(await why.isVisible(), true);
      // A reason is optional: the rating alone counts, and the reader is thanked.
      await panel.locator('.card').getByRole('button', { name: 'Send' }).click();
      await panel.getByText('Thank you!').and(page.locator(':focus')).waitFor();
      assert.equal(await why.isVisible(), false);
      for (const pressed of ['false', 'true']) {
        await button('Not helpful').click();
        assert.equal(await button('Not helpful').getAttribute('aria-pressed'), pressed);
      }
      assert.equal(await why.isVisible(), true);
      await button('Incomplete').click();
      assert.equal(await button('Incomplete').getAttribute('aria-pressed'), 'true');
      await panel.getByLabel('Comment (optional)').fill('The price is missing.');
      await page.keyboard.press('Enter');
      await panel.getByText('Thank you!').and(page.locator(':focus')).waitFor();
      const rated = (await callsOf(page, 'rate')).map(([, ...rest]) => rest);
      assert.deepEqual(rated, [
        ...Array.from({ length: 3 }, () => ['down', undefined]),
        ['down', 'Incomplete: The price is missing.'],
      ]);
      assert.equal(await button('Incomplete').isVisible(), false);
      assert.equal(await why.isVisible(), false);
      await button('Ask a person').click();
      await panel.getByLabel('E-mail').and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Enter');
      await panel.getByText('Passed on.').waitFor();
      await button('Not helpful').click();
      assert.equal(await why.isVisible(), false);
    }),
  );

  it(
    'is replaced together with its question when the reader tries again after stopping it',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const { questions, answers, button } = widgetOn(page);
      const stopped = `stage.answer('Some of it', { status: 'incomplete', error: { code: 'cancelled' } })`;
      await page.evaluate(`stage.set({ messages: [stage.question('How?'), ${stopped}] })`);
      await button('Try again').click();
      await answers.getByText('Thinking…').waitFor();
      assert.deepEqual(await questions.allInnerTexts(), ['How?']);
      await finish(page, 'All of it.');
      assert.equal(await answers.count(), 1);
      // A stopped answer stays if another question follows it, or if the repeated question failed.
      for (const [again, shown] of [
        [`stage.question('Why?')`, ['How?', 'Why?']],
        [`stage.question('How?', { status: 'failed' })`, ['How?', 'How?']],
      ] as const) {
        await page.evaluate(
          `stage.set({ messages: [stage.question('How?'), ${stopped}, ${again}] })`,
        );
        await answers.getByText('Some of it').waitFor();
        const texts = await questions.locator('.bubble').allInnerTexts();
        assert.deepEqual(texts, shown);
      }
    }),
  );
});
