import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { HostSite } from './support/host-site.js';
import { ask, finish, openStage, openStageSite, putStagePage } from './support/view-stage.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { widgetOn } from './support/widget-world.js';

const text = [
  '**Open** [orders](https://shop.example/?a="b") first [1].',
  '## Steps\n\n3. <img src=x onerror=alert(1)> & `a<b` [2]',
  '| A | B |\n|--:|---|\n| 1 | 2 |',
  '```js\nif (a < b) stop();\n```',
].join('\n\n');

describeInBrowser('A copied answer', () => {
  let site: HostSite;
  before(async () => {
    site = await openStageSite();
    // Under the strict policy of the other page this test could not parse what was copied.
    putStagePage(site, '/rich', '<style></style>');
  });
  after(() => site.close());

  const prepare = async (page: Page, path = '/') => {
    await openStage(page, site, { path });
    await ask(page);
    const unsupported = [{ from: 0, to: text.indexOf('\n') }];
    await finish(page, text, ['Orders', 'Refunds'], JSON.stringify({ unsupported }));
    await page.locator('mark').first().waitFor();
  };
  const copy = async (page: Page) => {
    const { button } = widgetOn(page);
    await button('Copy answer').press('Enter');
    await button('Copied').waitFor();
  };
  const read = (page: Page, type: string) =>
    page.evaluate<string>(
      `navigator.clipboard.read().then(([item]) => item.types.includes('${type}') ? item.getType('${type}').then((blob) => blob.text()) : '')`,
    );
  /** The rich text, as an editor parses it. */
  const parsed = async (page: Page) => {
    const html = await read(page, 'text/html');
    const found = await page.evaluate<{ names: string[]; links: string[]; words: string }>(
      `(() => {
        const { body } = new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html');
        const all = [...body.querySelectorAll('*')];
        return {
          names: [...new Set(all.flatMap((one) => [one.localName, ...one.getAttributeNames().map((name) => '@' + name)]))],
          links: [...body.querySelectorAll('a')].map((a) => a.textContent + ' → ' + a.getAttribute('href')),
          words: body.textContent.replace(/\\s+/g, ' ').trim(),
        };
      })()`,
    );
    return { html, ...found };
  };

  for (const isOldWay of [false, true])
    it(
      `contains its headings, lists, tables and source links as rich text${isOldWay ? ', even if clipboard.write fails' : ''}`,
      visiting(async ({ page, context }) => {
        await context.grantPermissions(['clipboard-read', 'clipboard-write']);
        await prepare(page, '/rich');
        if (isOldWay)
          await page.evaluate('navigator.clipboard.write = () => Promise.reject(Error())');
        await copy(page);
        const { names, links, words } = await parsed(page);
        const source = site.url('/help/orders');
        assert.ok(links.includes('orders → https://shop.example/?a=%22b%22'), links.join());
        assert.ok(
          links.some((one) => one.endsWith(`→ ${source}`)),
          links.join(),
        );
        for (const name of ['strong', 'ol', 'li', 'table', 'th', 'td', 'pre', 'code', 'h3'])
          assert.ok(names.includes(name), name);
        assert.match(words, /Open orders first \(unconfirmed\) ?\[1\]\./);
        assert.match(words, /<img src=x onerror=alert\(1\)> & a<b \[2\]/);
        assert.match(words, /Sources:\s*\[1\] Orders · handbook\.pdf · pp\. 3–4/);
        assert.doesNotMatch(words, /Copy/);
        const plain = await read(page, 'text/plain');
        assert.ok(
          plain.startsWith('**Open**') &&
            plain.includes(`[1] Orders · handbook.pdf · pp. 3–4 · ${source}`),
        );
      }),
    );

  it(
    'contains formatted text only, without scripts, pictures, styles and buttons',
    visiting(async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await prepare(page);
      // As the page passes it on: browsers add styles of their own to the HTML on the clipboard.
      await page.evaluate(
        `navigator.clipboard.write = async ([item]) => { window.given = await (await item.getType('text/html')).text(); }`,
      );
      await copy(page);
      const html = await page.evaluate<string>('given');
      const tags = new Set(html.match(/<\w+/g));
      const known = 'div p strong a h3 ol li code table thead tbody tr th td pre mark span'.split(
        ' ',
      );
      for (const tag of tags) assert.ok(known.includes(tag.slice(1)), tag);
      const attributes = new Set(html.match(/(?<=<[^>]* )[\w-]+(?==")/g));
      assert.deepEqual([...attributes].sort(), ['href', 'start', 'xmlns']);
    }),
  );

  it(
    'is plain and rich text on the clipboard, even if the browser has no ClipboardItem',
    visiting(async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await prepare(page);
      await page.evaluate('delete window.ClipboardItem');
      await copy(page);
      assert.ok((await read(page, 'text/plain')).startsWith('**Open**'));
      assert.match(await read(page, 'text/html'), /<strong[ >]/);
    }),
  );
});
