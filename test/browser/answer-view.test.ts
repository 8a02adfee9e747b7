import assert from 'node:assert/strict';
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
    'is announced in clean sentences once it is whole, and leaves nothing of that behind',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await ask(page);
      await page.evaluate(`window.later = []; window.setTimeout = (call) => later.push(call)`);
      const text =
        'Run it [1], then:\n\n```sh\nnpm install\n```\n\n- first\n- *second* [1].\n\n| A | B |\n|---|---|\n| 1 | 2 |';
      await page.evaluate(`stage.say(${JSON.stringify(text.slice(0, 40))})`);
      assert.deepEqual(await liveTexts(page), []);
      await finish(page, text, ['Orders']);
      const words = ['Run it, then:', 'npm install', 'first', 'second.', 'A', 'B', '1', '2'];
      assert.deepEqual(await liveTexts(page), words);
      await page.evaluate('for (const call of later) call()');
      assert.deepEqual(await liveTexts(page), []);
    }),
  );

  it(
    'says where it was stopped or is incomplete, and offers another try below what there is of it',
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
    'is copied as it was written, with what is wrong with it, and where its sources are',
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
      // What is unconfirmed says so where it is seen to.
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
    'names the document and the pages of each source, and the document once where the title is its name',
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
    'marks a source whose entry says something else now',
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
    'cites the sources of a table and of code within them, while it streams and once it is whole',
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
    'that did not help asks what was wrong, in one of four words or the reader’s own, and leads to a person',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await ask(page);
      await finish(page, 'So it goes.');
      const { button, panel } = widgetOn(page);
      const why = panel.getByText('What was wrong?');
      assert.equal(await why.count(), 0);
      await button('Not helpful').click();
      assert.equal(await why.isVisible(), true);
      // Nothing has to be said: the thumb counts, and is thanked for.
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
    'that was stopped gives way to the one that is asked for again, with its question',
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
      // What was never asked again stays, and so does what was said before where nothing came of it.
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

  it(
    'stands below a long question that is folded until it is wanted',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const { questions, button, log } = widgetOn(page);
      const long = 'A word and another one. '.repeat(190).trim();
      await page.evaluate(
        `stage.set({ messages: [stage.question(${JSON.stringify(long)}), stage.answer('So.'), stage.question('Short?')] })`,
      );
      const height = async () => (await questions.first().boundingBox())?.height ?? 0;
      const room = (await log.boundingBox())?.height ?? 0;
      assert.ok((await height()) < room / 2);
      assert.equal(await button('Show more').count(), 1);
      const bubble = questions.first().locator('.bubble');
      const right = async (of: typeof bubble) => {
        const { x, width } = (await of.boundingBox()) ?? assert.fail();
        return x + width;
      };
      assert.ok(Math.abs((await right(bubble)) - (await right(button('Show more')))) < 1);
      const lines = await page.evaluate<number>(`(() => {
        const node = stage.root.querySelector('.bubble');
        const { lineHeight, paddingTop } = getComputedStyle(node);
        return (node.clientHeight - parseFloat(paddingTop)) / parseFloat(lineHeight);
      })()`);
      assert.ok(Math.abs(lines - Math.round(lines)) < 0.05, `${lines} lines: one is cut`);
      await button('Show more').press('Enter');
      assert.ok((await height()) > room);
      assert.equal(await button('Show more').count(), 0);
      await questions.first().locator('.bubble:focus').waitFor();
      assert.equal(await questions.first().locator('.bubble').innerText(), long);
    }),
  );

  for (const [width, height] of [
    [320, 568],
    [390, 844],
    [1280, 800],
  ] as const)
    it(
      `brings into view what it asks after a click at ${width} × ${height}, and leaves alone what a reload shows`,
      visiting(
        async ({ page }) => {
          await openStage(page, site);
          await ask(page);
          await finish(page, 'A long line of it.\n\n'.repeat(60), ['Orders', 'Delivery']);
          const { button, panel, log } = widgetOn(page);
          const down = button('Not helpful');
          await down.scrollIntoViewIfNeeded();
          await down.click();
          await button('Incorrect').and(page.locator(':focus')).waitFor();
          const form = panel.locator('.card').filter({ hasText: 'What was wrong?' });
          const [shown, within] = await Promise.all([form.boundingBox(), log.boundingBox()]);
          assert.ok(shown && within);
          assert.ok(shown.y >= within.y && shown.y + shown.height <= within.y + within.height);
          // As after a reload: judged before, it is shown from its beginning, and the focus stays where it is.
          const messages = 'stage.state.messages.map((one) => ({ ...one, key: `m${one.key}` }))';
          await panel.getByRole('textbox', { name: 'Ask a question…' }).focus();
          await page.evaluate(`stage.set({ conversationId: 'c2', messages: ${messages} })`);
          await form.waitFor();
          await panel.getByRole('textbox', { name: /^Ask/ }).and(page.locator(':focus')).waitFor();
          const [below, now] = await Promise.all([form.boundingBox(), log.boundingBox()]);
          assert.ok(below && now && below.y > now.y + now.height);
        },
        { viewport: { width, height } },
      ),
    );

  it(
    'keeps in view what it asks after a click where others follow it, and the reader is at the end',
    visiting(
      async ({ page }) => {
        await openStage(page, site);
        const pairs = [1, 2].map(
          (n) =>
            `stage.question('Question ${n}'), stage.answer('Answer ${n}', { reply: stage.reply('Answer ${n}', ['Orders']) })`,
        );
        await page.evaluate(`stage.set({ messages: [${pairs.join()}] })`);
        const { answers, button, panel, log } = widgetOn(page);
        // What it needs is there already, as after an answer that found nothing.
        await answers.last().getByRole('button', { name: 'Not helpful' }).click();
        await button('Incorrect').waitFor();
        await answers.last().getByRole('button', { name: 'Not helpful' }).click();
        await button('Incorrect').waitFor({ state: 'hidden' });
        await log.evaluate((node: { scrollTo(x: number, y: number): void }) =>
          node.scrollTo(0, 9999),
        );
        await answers.first().getByRole('button', { name: 'Not helpful' }).click();
        await button('Incorrect').and(page.locator(':focus')).waitFor();
        await page.evaluate(
          'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
        );
        const form = panel.locator('.card').filter({ hasText: 'What was wrong?' }).first();
        const [shown, within] = await Promise.all([form.boundingBox(), log.boundingBox()]);
        assert.ok(shown && within);
        assert.ok(shown.y >= within.y && shown.y + shown.height < within.y + within.height + 2);
      },
      { viewport: { width: 320, height: 568 } },
    ),
  );

  it(
    'shows by a shade that a wide table or line of code goes on, until its end is reached',
    visiting(
      async ({ page }) => {
        await openStage(page, site);
        await ask(page);
        const cells = '| internationalization | interoperability | incomprehensibility |';
        const code = `\`\`\`sh\n${'word '.repeat(30)}\n\`\`\``;
        await finish(page, `${cells}\n|---|---|---|\n${cells}\n\n${code}`);
        for (const name of ['.table', 'pre']) {
          const box = page.locator(name);
          const end = async () => {
            const { x, y, width, height } = (await box.boundingBox()) ?? assert.fail();
            // Within the last pixels, below the head of a table, where no letters are.
            return page.screenshot({
              clip: { x: x + width - 4, y: y + height - 5, width: 2, height: 2 },
            });
          };
          const shaded = await end();
          await box.evaluate((node: { scrollTo(x: number, y: number): void }) =>
            node.scrollTo(9999, 0),
          );
          assert.notDeepEqual(await end(), shaded, name);
        }
      },
      { viewport: { width: 320, height: 568 } },
    ),
  );

  it(
    'of a person tells when: of today the time alone, of this year no year',
    visiting(async ({ page }) => {
      await page.clock.setFixedTime('2026-11-22T12:00:00');
      await openStage(page, site);
      for (const [createdAt, told] of [
        ['2026-11-22T09:05:00', '09:05'],
        ['2026-11-21T09:05:00', '21 Nov, 09:05'],
        ['2025-12-31T09:05:00', '31 Dec 2025, 09:05'],
      ] as const) {
        await page.evaluate(
          `stage.set({ notifications: [{ id: '${createdAt}', isAnswer: true, question: 'Q', response: 'A', createdAt: '${createdAt}', read: true }, { id: 0, isAnswer: true, question: '', response: '', createdAt: '${createdAt}', read: false }] })`,
        );
        await widgetOn(page).button('Your question has been answered.').click();
        await page.getByText(`Answer from a person · ${told}`, { exact: true }).first().waitFor();
        await page.keyboard.press('Escape');
      }
    }),
  );

  it(
    'is no warning, which names no person and is announced as no answer',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const { button, panel } = widgetOn(page);
      const warning = {
        id: 1,
        isAnswer: false,
        question: 'An account was linked',
        response: 'To yours.',
      };
      await page.evaluate(
        `stage.set({ notifications: [${JSON.stringify({ ...warning, createdAt: '2025-12-31T09:05:00', read: false })}] })`,
      );
      await button('Menu').click();
      await panel.getByRole('button', { name: /Notifications/ }).click();
      await panel.getByText('An account was linked').waitFor();
      await panel.getByText('31 Dec 2025, 09:05', { exact: true }).waitFor();
      assert.equal(await panel.getByText('Answer from a person').count(), 0);
      assert.equal(await button('Your question has been answered.').count(), 0);
    }),
  );
});
