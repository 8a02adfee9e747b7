import assert from 'node:assert/strict';
import type { HostSite } from './support/host-site.js';
import { ask, finish, openStage, openStageSite } from './support/view-stage.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { widgetOn } from './support/widget-world.js';

describeInBrowser('An answer in the panel, in detail', () => {
  let site: HostSite;
  before(async () => {
    site = await openStageSite();
  });
  after(() => site.close());

  it(
    'follows its long question, which is collapsed until the reader expands it',
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
      `scrolls its feedback form into view after a click, but not after a reload, at ${width} × ${height}`,
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
          // As after a reload: a rated answer is shown from its beginning, and the focus stays where it was.
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
    'keeps its feedback form in view if other answers follow it',
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
    'has a shadow at the edge of a wide table or code block until the reader scrolls to its end',
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
    'from a person shows only the time if it is of today, and no year if it is of this year',
    visiting(async ({ page }) => {
      await page.clock.setFixedTime('2026-11-22T12:00:00');
      await openStage(page, site);
      for (const [createdAt, shown] of [
        ['2026-11-22T09:05:00', '09:05'],
        ['2026-11-21T09:05:00', '21 Nov, 09:05'],
        ['2025-12-31T09:05:00', '31 Dec 2025, 09:05'],
      ] as const) {
        // The new answer of each round has an id of its own: that of the round before may be marked as read late.
        await page.evaluate(
          `stage.set({ notifications: [{ id: '${createdAt}', isAnswer: true, question: 'Q', response: 'A', createdAt: '${createdAt}', read: true }, { id: 'new ${createdAt}', isAnswer: true, question: '', response: '', createdAt: '${createdAt}', read: false }] })`,
        );
        await widgetOn(page).button('Your question has been answered.').click();
        await page.getByText(`Answer from a person · ${shown}`, { exact: true }).first().waitFor();
        await page.keyboard.press('Escape');
      }
    }),
  );

  it(
    'differs from a warning, which names no person and is not announced as an answer',
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
