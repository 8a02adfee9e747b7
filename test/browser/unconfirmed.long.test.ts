import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { shownTexts } from './support/accessibility.js';
import type { HostSite } from './support/host-site.js';
import { ask, finish, openStage, openStageSite } from './support/view-stage.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { widgetOn } from './support/widget-world.js';

describeInBrowser('The unconfirmed sentences of an answer', () => {
  let site: HostSite;
  before(async () => {
    site = await openStageSite();
  });
  after(() => site.close());

  /** The positions of these sentences in a text, as JSON. */
  const stretches = (text: string, sentences: string[]) =>
    JSON.stringify({
      unsupported: sentences.map((one) => ({
        from: text.indexOf(one),
        to: text.indexOf(one) + one.length,
      })),
    });
  /** The marked text of each label. */
  const labelled = (page: Page) =>
    page.evaluate<string[]>(
      `[...stage.root.querySelectorAll('[data-label]')].map((one) => one.textContent)`,
    );

  it(
    'are labelled with a word that is visible and read out, but not selected with the text',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await ask(page);
      const text = 'Open **Orders** [1]. Then *wait* a day. Then go on.';
      const from = text.indexOf('Then');
      const unsupported = [{ from, to: text.indexOf(' Then go') }];
      await finish(page, text, ['Orders'], JSON.stringify({ unsupported }));
      const marks = await page.evaluate<
        unknown[]
      >(`[...stage.root.querySelectorAll('mark')].map((mark) =>
        [mark.textContent, getComputedStyle(mark, '::after').content, getComputedStyle(mark).textDecorationLine])`);
      assert.deepEqual(marks, [
        ['Then ', 'none', 'none'],
        ['wait', 'none', 'none'],
        [' a day.', '"unconfirmed"', 'none'],
      ]);
      assert.ok((await shownTexts(page)).includes('unconfirmed'));
      const copied = await page.evaluate<string>(
        `getSelection().selectAllChildren(stage.root.querySelector('.text')), getSelection().toString()`,
      );
      assert.match(copied, /wait a day\. Then go on/);
      assert.doesNotMatch(copied, /unconfirmed/);
      await widgetOn(page).answers.getByText('not supported by the sources').waitFor();
    }),
  );

  it(
    'have one label if they follow each other, and one for each paragraph and list',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await ask(page);
      const text =
        'One is red. Two is *blue*. Three is [1]. Four is pink.\n\nFive is new.\n\n- Six is old\n- Seven too';
      const sentences = ['One is red.', 'Two is *blue*.', 'Four is pink.', 'Five is new.'];
      const items = ['Six is old', 'Seven too'];
      await finish(page, text, ['Orders'], stretches(text, [...sentences, ...items]));
      assert.deepEqual(await labelled(page), ['.', 'Four is pink.', 'Five is new.', 'Seven too']);
      const marked = await page.evaluate<string>(
        `[...stage.root.querySelectorAll('mark')].map((one) => one.textContent).join('')`,
      );
      assert.equal(marked, 'One is red. Two is blue.Four is pink.Five is new.Six is oldSeven too');
    }),
  );

  it(
    'have one label below a table or code block, which stays in view when that is scrolled',
    visiting(
      async ({ page }) => {
        await openStage(page, site);
        await ask(page);
        const cells = '| internationalization | interoperability | incomprehensibility |';
        const text = `${cells}\n|---|---|---|\n${cells.toUpperCase()}\n\n\`\`\`sh\n${'word '.repeat(40)}\n\`\`\``;
        await finish(
          page,
          text,
          [],
          JSON.stringify({ unsupported: [{ from: 0, to: text.length }] }),
        );
        assert.equal(await page.evaluate('stage.root.querySelectorAll("th mark").length'), 0);
        assert.equal(await page.evaluate('stage.root.querySelectorAll("td mark").length'), 3);
        assert.deepEqual(await labelled(page), ['', '']);
        const places = await page.evaluate<string[]>(`['.table', 'pre'].map((name) => {
          const box = stage.root.querySelector(name);
          box.scrollTo(9999, 0);
          const under = box.closest('.code,.table').getBoundingClientRect();
          const label = box.closest('.code,.table').nextElementSibling.getBoundingClientRect();
          const isInSight = label.width > 20 && label.left >= under.left && label.right <= under.right;
          return isInSight && label.top >= under.bottom && box.scrollLeft > 0 ? 'below' : JSON.stringify([under, label]);
        })`);
        assert.deepEqual(places, ['below', 'below']);
      },
      { viewport: { width: 320, height: 568 } },
    ),
  );

  it(
    'are marked in one pass over the answer, however many there are',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await ask(page);
      const sentence = (n: number) =>
        `Step ${n}: press **the button** and wait for \`it\` to end. `;
      const text = Array.from({ length: 180 }, (_, n) => sentence(n)).join('');
      const unsupported = Array.from({ length: 180 }, (_, n) => ({
        from: text.indexOf(sentence(n)),
        to: text.indexOf(sentence(n)) + sentence(n).length,
      }));
      const read = await page.evaluate<number>(`(async () => {
        let read = 0;
        const { prototype } = CharacterData;
        const data = Object.getOwnPropertyDescriptor(prototype, 'data');
        Object.defineProperty(prototype, 'data', { ...data, get() {
          const text = data.get.call(this);
          read += text.length;
          return text;
        } });
        window.RegExp = new Proxy(RegExp, { construct(target, given) {
          read += String(given[0]).length;
          return Reflect.construct(target, given);
        } });
        stage.finish(${JSON.stringify(text)}, [], { unsupported: ${JSON.stringify(unsupported)} });
        await new Promise((done) => setTimeout(done));
        return read;
      })()`);
      assert.equal(
        await page.evaluate(
          '[...stage.root.querySelectorAll("mark")].map((one) => one.textContent).join("")',
        ),
        text.replaceAll(/\*\*|`/g, '').trim(),
      );
      assert.ok(read < 2 * text.length, `${read} characters read of ${text.length}`);
    }),
  );
});
