import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PageContext } from '../../src/chat/api-types.js';
import { openHostSite, type HostSite } from './support/host-site.js';
import { scriptOfPart } from './support/load-part.js';
import { describeInBrowser, visiting } from './support/visiting.js';

describeInBrowser('The page context that the widget reads', () => {
  let site: HostSite;
  before(async () => {
    site = await openHostSite();
    site.put('/part.js', {
      body: await scriptOfPart(
        ...['chat/page/read-page.ts', 'chat/page/watch-selection.ts', 'chat/parts/masking.ts'],
      ),
    });
  });
  after(() => site.close());

  const open = async (page: Page, content: string) => {
    const head = '<!doctype html><title>Travel costs</title><script src="/part.js"></script>';
    site.put('/', { body: `${head}<body>${content}` });
    await page.goto(site.url('/?page=1&token=abc'));
  };
  const read = (page: Page, options: string) =>
    page.evaluate<PageContext>(`part.readPage(${options})`);
  const form = `<form id="claim" action="/send?k=1" method="post">
    <label for="a">Amount  in
      euros</label><input id="a" name="amount" type="number" required value="12">
    <label>Country <select name="country"><option>Spain<option selected>Chile</select></label>
    <input type="password" name="p" value="geheim1"><input type="hidden" name="csrf" value="geheim2">
    <input type="file" name="receipt"><input name="cc" autocomplete="cc-number" value="geheim3">
    <input name="otp" autocomplete="one-time-code" value="geheim4"><input name="cvc" value="geheim5">
    <input type="checkbox" name="ok" aria-label="Agreed" checked><button>Send</button>
    <textarea name="note" placeholder="Why?">Write to ana@b.example</textarea></form>
    <input name="search" style="display:none"><input id="free">`;

  it(
    'has the address, title and visible headings, navigation and forms of the page, without values',
    visiting(async ({ page }) => {
      await open(
        page,
        `<nav><a href="/a">Home</a><a href="/b" hidden>No</a></nav><h1>Travel  <b>costs</b></h1>
        <h2 style="display:none">Gone</h2><h2>Hotels</h2>${form}
        <assistant-widget></assistant-widget><script>
        document.querySelector('assistant-widget').attachShadow({ mode: 'open' })
          .append(Object.assign(document.createElement('h2'), { textContent: 'Inside' }), document.createElement('input'))</script>`,
      );
      const context = await read(page, '{ given: null }');
      assert.deepEqual(context, {
        url: site.url('/?page=1&token='),
        title: 'Travel costs',
        selectedText: '',
        forms: [
          {
            ...{ id: 'claim', action: '/send', method: 'post' },
            fields: [
              { name: 'amount', type: 'number', label: 'Amount in euros', required: true },
              {
                ...{ name: 'country', type: 'select-one', label: 'Country SpainChile' },
                options: ['Spain', 'Chile'],
              },
              { name: 'receipt', type: 'file' },
              ...['cc', 'otp', 'cvc'].map((name) => ({ name, type: 'text' })),
              { name: 'ok', type: 'checkbox', label: 'Agreed' },
              { name: 'note', type: 'textarea', placeholder: 'Why?' },
            ],
          },
          { fields: [{ name: 'free', type: 'text' }] },
        ],
        pageStructure: { headings: ['Travel costs', 'Hotels'], navigation: ['Home'] },
      });
    }),
  );

  it(
    'has masked form values if masking and values are both on, but none of passwords, cards, codes, files and hidden fields',
    visiting(async ({ page }) => {
      await open(page, form);
      assert.ok(
        !JSON.stringify(await read(page, '{ given: null, mask: part.part }')).includes('"value"'),
      );
      assert.ok(
        !JSON.stringify(await read(page, '{ given: null, values: true }')).includes('"value"'),
      );
      const context = await read(page, '{ given: null, mask: part.part, values: true }');
      const values = context.forms?.[0]?.fields.map(({ name, value }) => [name, value ?? null]);
      assert.deepEqual(Object.fromEntries(values ?? []), {
        ...{ amount: '12', country: 'Chile', receipt: null, cc: null, otp: null, cvc: null },
        ...{ ok: 'true', note: 'Write to [email]' },
      });
      assert.doesNotMatch(JSON.stringify(context), /geheim/);
    }),
  );

  it(
    'has the values of setContext instead of the page’s own, except invalid addresses',
    visiting(async ({ page }) => {
      await open(page, '<h1>Heading</h1>');
      const given = `{ title: 'Step 2', url: undefined, pageStructure: { headings: ['Mine'] } }`;
      const context = await read(page, `{ given: ${given}, selected: 'marked' }`);
      assert.equal(context.title, 'Step 2');
      assert.equal(context.url, site.url('/?page=1&token='));
      assert.equal(context.selectedText, 'marked');
      assert.deepEqual(context.pageStructure, { headings: ['Mine'], navigation: [] });
      const others = ['/relative?x=1', 'javascript:alert(1)', 'about:blank', 'http://'];
      const addresses = others.map(
        async (url) => (await read(page, `{ given: { url: '${url}' } }`)).url,
      );
      assert.deepEqual(await Promise.all(addresses), [
        site.url('/relative?x=1'),
        ...others.slice(1).map(() => site.url('/?page=1&token=')),
      ]);
      await read(page, `{ given: { forms: 1, title: null, selectedText: {} }, mask: part.part }`);
    }),
  );

  it(
    'keeps the selected text while the reader types into the widget, until the selection ends',
    visiting(async ({ page }) => {
      await open(
        page,
        `<p id="text">Marked words</p><p id="other">Other</p><input id="own" value="typed"><assistant-widget></assistant-widget><script>
        var input = document.createElement('textarea');
        document.querySelector('assistant-widget').attachShadow({ mode: 'open' }).append(input);
        var watch = part.watchSelection();</script>`,
      );
      const selected = () => page.evaluate('watch.selected()');
      const becomes = (text: string) =>
        page.waitForFunction(`watch.selected() === ${JSON.stringify(text)}`);
      await page.locator('#text').selectText();
      await becomes('Marked words');
      await page.locator('textarea').click();
      await page.keyboard.type('what is this?');
      assert.equal(await selected(), 'Marked words');
      await page.locator('#other').click();
      await becomes('');
      await page.locator('#own').selectText();
      assert.equal(await selected(), '');
      await page.evaluate('watch.stop()');
      await page.locator('#text').selectText();
      assert.equal(await selected(), '');
    }),
  );

  it(
    'contains only the beginning of a very large page',
    visiting(async ({ page }) => {
      await open(page, '<main></main>');
      const looks = await page.evaluate<number[]>(`(() => {
        const main = document.querySelector('main');
        const nav = main.appendChild(document.createElement('nav'));
        for (let i = 0; i < 10000; i += 1) {
          main.append(Object.assign(document.createElement('h2'), { textContent: 'Heading number ' + i, hidden: i % 2 }));
          nav.append(Object.assign(document.createElement('a'), { href: '/' + i, textContent: 'Link ' + i }));
          main.append(Object.assign(document.createElement('input'), { name: 'field' + i }));
        }
        let looks = 0;
        for (const name of ['getClientRects', 'getBoundingClientRect', 'checkVisibility', 'closest']) {
          const real = Element.prototype[name];
          Element.prototype[name] = function (...args) { looks += 1; return real.apply(this, args); };
        }
        return [{ given: null }, { given: null, mask: part.part }].map((options) => {
          looks = 0;
          part.readPage(options);
          return looks;
        });
      })()`);
      for (const count of looks)
        assert.ok(count > 200 && count < 3000, `looked ${looks.join(', ')} times`);
    }),
  );
});
