import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openHostSite, type HostSite } from './support/host-site.js';
import { scriptOfPart } from './support/load-part.js';
import { describeInBrowser, visiting } from './support/visiting.js';

const csp =
  "default-src 'none'; script-src 'self'; style-src 'none'; require-trusted-types-for 'script'";

const answer = `# Refunds
Ask **within** 30 days [1], see [the form](https://a.example/form) [9].

1. Pack it
   - with \`care\`
2. Send it

| Size | Price |
|:-:|--:|
| S | 3 € |

> <img src=x onerror=alert(1)>

\`\`\`sh
curl <host>
\`\`\`
[no](javascript:alert(1))`;

describeInBrowser('Markdown in the panel', () => {
  let site: HostSite;
  before(async () => {
    site = await openHostSite();
    const parts = ['chat/markdown/parse-markdown.ts', 'chat/markdown/render-markdown.ts'];
    site.put('/part.js', {
      body: `${await scriptOfPart(...parts)};var box = document.createElement('div'), blocks = [];
        document.body.append(box);
        var options = { copyLabel: 'Copy', copied: 'Copied', citation: (n) =>
          n < 3 ? Object.assign(document.createElement('button'), { textContent: 'Source ' + n }) : undefined };
        function show(text) { var next = part.parseMarkdown(text, blocks); part.updateMarkdown(box, blocks, next, options); blocks = next; }`,
    });
    site.put('/', {
      body: '<!doctype html><body><script src="/part.js"></script>',
      headers: { 'content-security-policy': csp },
    });
  });
  after(() => site.close());

  const show = async (page: Page, text: string) => {
    await page.goto(site.url('/'));
    await page.evaluate(`show(${JSON.stringify(text)})`);
  };

  it(
    'becomes DOM elements under a Content-Security-Policy that forbids styles and HTML from strings',
    visiting(async ({ page }) => {
      await show(page, answer);
      assert.equal(
        await page.evaluate('box.innerHTML'),
        '<h3>Refunds</h3><p>Ask <strong>within</strong> 30 days <span class="cited"><button>Source 1</button>,</span> see ' +
          '<a href="https://a.example/form" target="_blank" rel="noopener noreferrer">the form</a> [9].</p>' +
          '<ol start="1"><li><p>Pack it</p><ul><li><p>with <code>care</code></p></li></ul></li><li><p>Send it</p></li></ol>' +
          '<div class="table" tabindex="0"><table><thead><tr><th style="text-align: center;">Size</th><th style="text-align: right;">Price</th></tr></thead>' +
          '<tbody><tr><td style="text-align: center;">S</td><td style="text-align: right;">3 €</td></tr></tbody></table></div>' +
          '<blockquote><p>&lt;img src=x onerror=alert(1)&gt;</p></blockquote>' +
          '<div class="code"><div><span>sh</span><button type="button">Copy</button></div>' +
          '<pre tabindex="0"><code>curl &lt;host&gt;</code></pre></div><p>[no](javascript:alert(1))</p>',
      );
    }),
  );

  it(
    'has heading levels without gaps, whatever levels the text uses',
    visiting(async ({ page }) => {
      await page.goto(site.url('/'));
      const headings = '### A\n\n###### B\n\n> # C\n> ### D\n\n##### E\n\n## F\n\n### G\n\n# H';
      for (let end = 1; end <= headings.length; end += 1)
        await page.evaluate(`show(${JSON.stringify(headings.slice(0, end))})`);
      const levels = await page.evaluate<string[]>(
        `[...box.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((one) => one.localName + one.textContent)`,
      );
      assert.deepEqual(levels, ['h3A', 'h4B', 'h3C', 'h4D', 'h4E', 'h3F', 'h4G', 'h3H']);
    }),
  );

  for (const allowed of [true, false])
    it(
      `has a button that copies code, and says so${allowed ? '' : ', even if clipboard.writeText fails'}`,
      visiting(async ({ page, context }) => {
        await context.grantPermissions(['clipboard-read', 'clipboard-write']);
        await show(page, answer);
        if (!allowed)
          await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(Error())');
        await page.getByRole('button', { name: 'Copy' }).click();
        const copied = page.getByRole('button', { name: 'Copied' });
        await copied.waitFor();
        assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'curl <host>');
        await page.mouse.move(0, 0);
        await page.getByRole('button', { name: 'Copy', exact: true }).waitFor();
      }),
    );

  it(
    'keeps its first nodes while an answer grows, and ends as if it had been rendered at once',
    visiting(async ({ page }) => {
      await page.goto(site.url('/'));
      await page.evaluate(`(() => {
        let first;
        const text = ${JSON.stringify(`${answer}\n\n`.repeat(25))};
        for (let end = 4; end < text.length + 4; end += 4) {
          show(text.slice(0, end));
          if (end === 100) first = box.firstChild;
        }
        const grown = box.innerHTML;
        if (box.firstChild !== first) throw Error('The first block was created again.');
        box.replaceChildren(); blocks = []; show(text);
        if (box.innerHTML !== grown) throw Error('It is not the same.');
      })()`);
    }),
  );

  const words = 'press **the button** in [the settings](https://a.example/b), wait for `it` [1]. ';
  const lines = (line: (number: number) => string, count: number) =>
    Array.from({ length: count }, (_, number) => line(number)).join('\n');
  const long = {
    paragraph: words.repeat(120),
    list: lines((number) => `- Step ${number}: ${words}`, 105),
    'nested list': lines((number) => `${number % 5 ? '   - ' : '1. '}${number}: ${words}`, 108),
    quote: lines(() => `> ${words}`, 118),
    'code block': `\`\`\`js\n${lines((number) => `const a${number} = await b(${number});`, 350)}\n\`\`\``,
    table: `| A | B |\n|---|---|\n${lines((number) => `| ${number} | ${words} |`, 104)}`,
  };
  for (const [what, text] of Object.entries(long))
    it(
      `changes only the end of a long ${what} while it grows`,
      visiting(async ({ page }) => {
        await page.goto(site.url('/'));
        assert.ok(text.length > 9000, String(text.length));
        const { most, same } = await page.evaluate<{ most: number; same: boolean }>(`(() => {
          const text = ${JSON.stringify(text)};
          const sizeOf = (node) => 1 + [...node.childNodes].reduce((sum, one) => sum + sizeOf(one), 0);
          const watch = new MutationObserver(() => {});
          watch.observe(box, { subtree: true, childList: true, characterData: true });
          let most = 0;
          for (let end = 40; end < text.length + 40; end += 40) {
            show(text.slice(0, end));
            let touched = 0;
            for (const { addedNodes, removedNodes } of watch.takeRecords())
              for (const node of [...addedNodes, ...removedNodes]) touched += sizeOf(node);
            most = Math.max(most, touched);
          }
          const grown = box.innerHTML;
          box.replaceChildren(); blocks = []; show(text);
          return { most, same: box.innerHTML === grown };
        })()`);
        assert.ok(same);
        assert.ok(most <= 80, `${most} nodes at once`);
      }),
    );
});
