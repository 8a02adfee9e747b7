import assert from 'node:assert/strict';
import { countHeld, heldBy } from './support/held.js';
import type { HostSite } from './support/host-site.js';
import { inPage } from './support/in-page.js';
import { settled } from './support/panel-states.js';
import { callsOf, openStage, openStageSite, putStagePage } from './support/view-stage.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { widgetOn } from './support/widget-world.js';

describeInBrowser('The panel of the widget', () => {
  let site: HostSite;
  before(async () => {
    site = await openStageSite();
  });
  after(() => site.close());

  it(
    'is a button until it opens, and returns the focus when Escape closes it',
    visiting(async ({ page }) => {
      await openStage(page, site, { open: false });
      const { launcher, panel, composer } = widgetOn(page);
      assert.equal(await page.evaluate('stage.root.querySelectorAll("button").length'), 1);
      await page.locator('#b').focus();
      await page.evaluate('stage.view.open()');
      await composer.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'hidden' });
      await page.locator('#b:focus').waitFor();
      await launcher.focus();
      await page.keyboard.press('Enter');
      await composer.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Escape');
      await launcher.and(page.locator(':focus')).waitFor();
      assert.deepEqual(await callsOf(page, 'setVisible'), [[true], [false], [true], [false]]);
      assert.equal((await callsOf(page, 'onClose')).length, 2);
    }),
  );

  it(
    'does not take the focus from the page when it opens or closes by itself',
    visiting(async ({ page }) => {
      await openStage(page, site, { open: false });
      await page.evaluate('stage.view.destroy()');
      await page.locator('#b').focus();
      await page.evaluate('stage.mount({ autoOpen: true })');
      const { panel } = widgetOn(page);
      await panel.waitFor();
      await page.locator('#b:focus').waitFor();
      await page.evaluate('stage.view.close()');
      await page.locator('#b:focus').waitFor();
    }),
  );

  it(
    'offers the suggestions of the reply to a greeting, without buttons for rating it or asking a person',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const chip = (name: string) => page.getByRole('button', { name, exact: true });
      await chip('How do I cancel an order?').waitFor();
      await page.evaluate(
        `stage.set({ messages: [stage.question('Hi'), stage.answer('Hello!', { reply: stage.reply('Hello!', [], { found: null, suggestions: ['Who may order?'] }) })] })`,
      );
      await page.getByText('Hello!', { exact: true }).waitFor();
      await chip('How do I cancel an order?').waitFor({ state: 'detached' });
      for (const name of ['Helpful', 'Not helpful', 'Ask a person']) {
        assert.equal(await chip(name).count(), 0, name);
      }
      assert.equal(await page.getByText('Quoted from the sources.').count(), 0);
      await chip('Who may order?').click();
      assert.deepEqual(await callsOf(page, 'send'), [['Who may order?']]);
      await chip('Who may order?').waitFor({ state: 'hidden' });
    }),
  );

  it(
    'sends with Enter, but not with Shift+Enter, while an input method composes, or over the length limit',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const { composer, send } = widgetOn(page);
      await composer.pressSequentially('One');
      await page.keyboard.press('Shift+Enter');
      await composer.pressSequentially('two');
      await composer.evaluate((input: { dispatchEvent(event: unknown): void }) =>
        input.dispatchEvent(
          new (
            globalThis as unknown as { KeyboardEvent: new (...args: unknown[]) => unknown }
          ).KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }),
        ),
      );
      assert.deepEqual(await callsOf(page, 'send'), []);
      await page.keyboard.press('Enter');
      assert.deepEqual(await callsOf(page, 'send'), [['One\ntwo']]);
      assert.equal(await composer.inputValue(), '');
      const long = 'x'.repeat(401);
      await composer.fill(long);
      await page.keyboard.press('Enter');
      await page.getByText('Too long: at most 400 characters.').waitFor();
      assert.equal(await send.isDisabled(), true);
      assert.equal(await composer.inputValue(), long);
      assert.equal((await callsOf(page, 'send')).length, 1);
    }),
  );

  it(
    'triggers no keyboard shortcuts of the page',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await page.evaluate(
        'window.keys = []; for (const t of ["keydown", "keyup", "keypress"]) document.addEventListener(t, (e) => keys.push(e.key))',
      );
      await widgetOn(page).composer.pressSequentially('k/');
      await page.keyboard.press('Escape');
      assert.deepEqual(await page.evaluate('keys'), []);
      await page.locator('#b').focus();
      await page.keyboard.press('k');
      assert.equal(await page.evaluate('keys.length'), 3);
    }),
  );

  it(
    'keeps the conversation, the draft and the cursor’s position when options change',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const { composer } = widgetOn(page);
      await page.evaluate('stage.set({ messages: [stage.question("Why?")] })');
      await composer.fill('not sent yet');
      await page.keyboard.press('ArrowLeft');
      await page.evaluate('stage.update({ theme: "dark", position: "bottom-left", zIndex: 7 })');
      await page.evaluate('stage.update({ language: "de" })');
      const german = page.getByRole('dialog').getByRole('textbox');
      assert.equal(await german.inputValue(), 'not sent yet');
      await page.keyboard.press('x');
      assert.equal(await german.inputValue(), 'not sent yext');
      await page.getByText('Why?').waitFor();
      assert.equal(await page.getByPlaceholder('Stellen Sie').count(), 1);
      // The second update gave the stage's default theme again.
      const theme = await page.evaluate('stage.root.host.dataset.theme');
      assert.equal(theme, 'light');
    }),
  );

  it(
    'looks the same in either corner',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const looks = `JSON.stringify([...stage.root.querySelectorAll('.panel, .panel *')].map((one) => {
        const { color, display, fontSize, textAlign } = getComputedStyle(one);
        return [one.className, color, display, fontSize, textAlign];
      }))`;
      await page.evaluate('stage.set({ messages: [stage.question("Why?")] })');
      const atRight = await page.evaluate(looks);
      await page.evaluate('stage.update({ position: "bottom-left" })');
      assert.equal(await page.evaluate(looks), atRight);
    }),
  );

  it(
    'shows a long answer from its beginning, and keeps the position of a reader who scrolled',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const { composer, log } = widgetOn(page);
      const scrolled = () => log.evaluate((node: { scrollTop: number }) => node.scrollTop);
      const offset = () =>
        page.evaluate<number>(
          'Math.round(stage.root.querySelector(".question:last-of-type, .question").getBoundingClientRect().top - stage.root.querySelector(".log").getBoundingClientRect().top)',
        );
      const settle = () =>
        page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
      await composer.fill('Tell me all.');
      await page.keyboard.press('Enter');
      for (let words = 100; words <= 800; words += 100) {
        await page.evaluate(`stage.say('word '.repeat(${words}))`);
        await settle();
      }
      assert.ok(Math.abs((await offset()) - 14) < 3, `the question is at ${await offset()}`);
      await log.hover();
      await page.mouse.wheel(0, -200);
      await page.evaluate(
        'new Promise((done) => { const at = () => stage.root.querySelector(".log").scrollTop === 0 ? done() : requestAnimationFrame(at); at(); })',
      );
      await page.evaluate(`stage.say('word '.repeat(900))`);
      await settle();
      assert.equal(await scrolled(), 0);
      await page.getByRole('button', { name: 'Jump to latest' }).click();
      await settle();
      await page.evaluate(`stage.say('word '.repeat(1000))`);
      await settle();
      const rest = await log.evaluate(
        (node: { scrollHeight: number; clientHeight: number; scrollTop: number }) =>
          node.scrollHeight - node.clientHeight - node.scrollTop,
      );
      assert.ok(rest < 2, `${rest} pixels from the end`);
    }),
  );

  it(
    'opens the source of a citation, links a source to its page, and marks unsupported sentences',
    visiting(async ({ page }) => {
      await openStage(page, site);
      await page.evaluate(`stage.set({ messages: [stage.question('How?'), stage.answer('', { status: 'waiting' })] });
        const text = 'Open **Orders** [1] and [press](https://x.example) it [2]. Then *wait* a day. See [9].';
        const from = text.indexOf('Then');
        stage.say(text);
        stage.finish(text, ['Orders', 'Refunds'], { unsupported: [{ from, to: from + 18 }], mode: 'extractive' });`);
      const { panel } = widgetOn(page);
      const excerpt = panel.getByText('What Refunds says.');
      assert.equal(await excerpt.isVisible(), false);
      await panel.getByRole('button', { name: 'Source 2: Refunds' }).press('Enter');
      await excerpt.waitFor();
      assert.equal(await page.evaluate('stage.root.activeElement.localName'), 'summary');
      const link = panel.getByRole('link', { name: 'Orders' });
      assert.equal(await link.getAttribute('href'), site.url('/help/orders'));
      assert.equal(await panel.getByRole('link', { name: 'Refunds' }).count(), 0);
      await panel.getByText('pp. 3–4').waitFor();
      const marked = await page.evaluate(
        '[...stage.root.querySelectorAll("mark")].map((one) => one.textContent).join("|")',
      );
      assert.equal(marked, 'Then |wait| a day.');
      await panel.getByRole('article').getByText('Quoted from the sources.').waitFor();
      assert.match(await panel.getByRole('article').last().innerText(), /See \[9\]/);
    }),
  );

  it(
    'shows a draft to its author only, and restores it when they return',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const { composer } = widgetOn(page);
      await page.evaluate('window.ada = {}, stage.set({ person: ada })');
      await composer.fill('What does my contract');
      await page.evaluate('stage.set({ person: {} })');
      assert.equal(await composer.inputValue(), '');
      await composer.fill('Somebody else asks');
      await page.evaluate('stage.set({ person: ada })');
      assert.equal(await composer.inputValue(), 'What does my contract');
    }),
  );

  it(
    'has buttons to ask a person, to try again and to stop an answer',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const seen = widgetOn(page);
      const { panel } = seen;
      await page.evaluate(
        `stage.set({ messages: [stage.question('Who?'), stage.answer('None.', { reply: stage.reply('None.', [], { canRequest: true, found: false }) })] })`,
      );
      await seen.button('Ask a person').click();
      await panel.getByLabel('E-mail').fill('ada@example.com');
      await page.keyboard.press('Enter');
      await panel.getByText('Passed on.').waitFor();
      assert.deepEqual((await callsOf(page, 'askPerson'))[0]?.slice(1), ['ada@example.com']);
      for (const [hasEmail, shown] of [
        [undefined, false],
        [false, true],
        [true, false],
      ]) {
        await page.evaluate(
          `stage.set({ identity: { kind: 'end_user', displayName: null, hasEmail: ${hasEmail} }, messages: [stage.question('Who?'), stage.answer('None.', { reply: stage.reply('None.', [], { canRequest: true, found: false }) })] })`,
        );
        await seen.button('Ask a person').click();
        assert.equal(await panel.getByLabel('E-mail').isVisible(), shown, String(hasEmail));
      }
      await page.evaluate(
        `stage.set({ messages: [stage.question('Late', { status: 'failed', error: { code: 'rate_limited', message: 'x', retryAfter: 3.2 } })] })`,
      );
      await panel.getByText('Try again in 4 seconds').waitFor();
      await seen.button('Try again').click();
      assert.equal((await callsOf(page, 'retry')).length, 1);
      await page.evaluate(
        `stage.set({ messages: [stage.question('A'), stage.answer('', { status: 'waiting', waitingFor: 'queue' })] })`,
      );
      await panel.getByText('This takes a little longer').waitFor();
      await seen.button('Stop answering').click();
      assert.equal((await callsOf(page, 'cancel')).length, 1);
    }),
  );

  it(
    'has pages for conversations, notifications and sign-in, and Escape closes its pages and its menu',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const seen = widgetOn(page);
      const { panel, composer } = seen;
      const menu = seen.button('Menu');
      await menu.press('Enter');
      await seen.button('Conversations').click();
      await seen.button('Delete “Cancelling an order”').click();
      await seen.button('Cancel').press('Enter');
      await seen.button('Delete “Cancelling an order”').and(page.locator(':focus')).press('Enter');
      await panel.getByText('Delete “Cancelling an order”', { exact: true }).waitFor();
      await seen.button('Delete').click();
      await seen
        .button(/Cancelling an order/)
        .first()
        .waitFor({ state: 'detached' });
      assert.deepEqual(await callsOf(page, 'deleteConversation'), [['c1']]);
      await seen.button(/^Delivery to Norway/).click();
      assert.deepEqual(await callsOf(page, 'openConversation'), [['c2']]);
      await page.evaluate(
        `stage.set({ notifications: [{ id: 4, isAnswer: true, question: 'To Norway?', response: 'Yes, **now**.', createdAt: '2026-01-01T00:00:00Z', read: false }] })`,
      );
      await seen.button('Your question has been answered.').click();
      // The answer is seen, so it is marked as read.
      await page.waitForFunction(
        `stage.calls.some(([name, id]) => name === 'markNotificationRead' && id === 4)`,
      );
      await page.keyboard.press('Escape');
      await composer.and(page.locator(':focus')).waitFor();
      await menu.click();
      await seen.button('Sign in').waitFor();
      await page.keyboard.press('Escape');
      assert.equal(await seen.button('Sign in').isVisible(), false);
      await menu.click();
      await seen.button('Sign in').click();
      await panel.getByLabel('E-mail').and(page.locator(':focus')).waitFor();
      await page.keyboard.type('ada@example.com');
      await panel.getByLabel('Password').fill('wrong');
      await page.keyboard.press('Enter');
      await panel.getByText('E-mail or password is wrong.').waitFor();
      await panel.getByLabel('Password').fill('right');
      await page.keyboard.press('Enter');
      await composer.waitFor();
      await panel.locator('header').getByText('Signed in as ada@example.com').waitFor();
      await menu.click();
      await seen.button('Sign out').click();
      assert.equal((await callsOf(page, 'signOut')).length, 1);
    }),
  );

  it(
    'adds an item to its open menu without moving the focus',
    visiting(async ({ page }) => {
      await openStage(page, site);
      const { button, panel } = widgetOn(page);
      const visitor = { kind: 'visitor', displayName: null };
      await page.evaluate('stage.set({ identity: undefined })');
      await button('Menu').press('Enter');
      await page.keyboard.press('ArrowDown');
      assert.equal(await button('Sign in').isVisible(), false);
      await page.evaluate(`stage.set({ identity: ${JSON.stringify(visitor)} })`);
      await button('Sign in').waitFor();
      await panel
        .getByRole('button', { name: 'Conversations' })
        .and(page.locator(':focus'))
        .waitFor();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await panel.getByLabel('E-mail').and(page.locator(':focus')).waitFor();
    }),
  );

  it(
    'fills a phone’s screen, makes the page behind it inert, and never scrolls horizontally',
    visiting(
      async ({ page }) => {
        await openStage(page, site);
        const { panel } = widgetOn(page);
        await page.evaluate(`stage.set({ messages: [stage.question('x'.repeat(300)), stage.answer('', { status: 'waiting' })] });
          const table = '| a | b |\\n|---|---|\\n| ' + 'long '.repeat(30) + '| c |\\n\\n\`\`\`js\\n' + 'code '.repeat(60) + '\\n\`\`\`\\n';
          stage.finish(table + 'https://example.com/' + 'y'.repeat(200), ['A title '.repeat(9)]);`);
        await page.evaluate(settled);
        assert.deepEqual(await panel.boundingBox(), { x: 0, y: 0, width: 320, height: 640 });
        assert.equal(await panel.getAttribute('aria-modal'), 'true');
        assert.equal(await page.evaluate('document.body.inert'), true);
        const wide = await page.evaluate(
          '[".log", ".panel"].map((one) => stage.root.querySelector(one)).filter((one) => one.scrollWidth > one.clientWidth).length + Number(document.documentElement.scrollWidth > innerWidth)',
        );
        assert.equal(wide, 0);
        await widgetOn(page).button('Close assistant').click();
        assert.equal(await page.evaluate('document.body.inert'), false);
      },
      { viewport: { width: 320, height: 640 } },
    ),
  );

  it(
    'stays visible on pages that unset and hide everything, and when the body is replaced',
    visiting(async ({ page }) => {
      putStagePage(
        site,
        '/hostile',
        '<style>* { all: unset !important } assistant-widget, div, button, section { display: none !important; opacity: 0 !important; transform: scale(0) !important }</style>',
      );
      await openStage(page, site, { path: '/hostile' });
      const { panel } = widgetOn(page);
      assert.equal((await panel.boundingBox())?.width, 380);
      await page.evaluate('document.body = document.createElement("body")');
      assert.equal(await panel.isVisible(), true);
      assert.equal(await page.evaluate('getComputedStyle(stage.root.host).zIndex'), '2147483000');
      assert.equal(await page.evaluate('getComputedStyle(stage.root.host).opacity'), '1');
    }),
  );

  it(
    'shows the number of unread messages on its button, which collapsed hides until the panel was opened',
    visiting(async ({ page }) => {
      await openStage(page, site, { options: { collapsed: true }, open: false });
      const launcher = page.getByRole('button', { name: 'Open assistant, 3 unread messages' });
      await page.evaluate('stage.set({ unread: 3 })');
      assert.equal(await launcher.count(), 0);
      await page.evaluate('stage.view.open(); stage.view.close()');
      await launcher.waitFor();
    }),
  );

  it(
    'says that it is not available on a page, and gives the reason only in the console',
    visiting(async ({ page, expectProblem, problems }) => {
      expectProblem(/origin_not_allowed/);
      await openStage(page, site);
      await page.evaluate(
        'stage.set({ refused: { code: "origin_not_allowed", message: "Register https://shop.example." } }); stage.set({ unread: 1 })',
      );
      await page.getByText('The assistant is not available on this page.').waitFor();
      assert.equal(await widgetOn(page).composer.isVisible(), false);
      assert.equal(problems.length, 1);
    }),
  );

  it(
    'shows the organization’s name, or the title, logo and greeting of the page, and follows their changes',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/404/);
      site.put('/logo.svg', {
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>',
        headers: { 'content-type': 'image/svg+xml' },
      });
      putStagePage(site, '/styled', '<style></style>');
      await openStage(page, site, { path: '/styled' });
      const { panel, button } = widgetOn(page);
      const head = panel.locator('header');
      const heading = (name: string) => head.getByRole('heading', { name, exact: true }).waitFor();
      const drawings = panel.locator('.face svg');
      await heading('Acme');
      await panel.getByText('I answer from our documents and show you the sources.').waitFor();
      assert.equal(await drawings.count(), 2);
      // A small panel shows the greeting from its beginning.
      await page.setViewportSize({ width: 640, height: 260 });
      assert.equal(
        await panel.getByRole('log').evaluate(inPage<number>('(log) => log.scrollTop')),
        0,
      );
      assert.equal(await button('Jump to latest').isVisible(), false);
      await page.evaluate('stage.set({ organization: undefined })');
      await heading('Assistant');
      const title = '<b>Heron</b>';
      const given = { title, logo: '/logo.svg', greeting: 'Welcome <i>back</i>!' };
      await page.evaluate(`stage.update(${JSON.stringify(given)})`);
      await heading(title);
      await panel.getByRole('heading', { name: given.greeting, exact: true }).waitFor();
      assert.equal(await panel.getByRole('img', { name: title }).count(), 1);
      assert.equal(await drawings.count(), 0);
      await page.evaluate('stage.update({ logo: "/missing.svg" })');
      await drawings.nth(1).waitFor();
      assert.equal(await panel.locator('img').count(), 0);
      await page.evaluate('stage.set({ organization: "Acme" })');
      await heading('Acme');
    }),
  );

  it(
    'keeps a long title on two lines, and the name of the signed-in user on one',
    visiting(async ({ page }) => {
      await openStage(page, site, { options: { title: 'Kundendienst '.repeat(20) } });
      const displayName = 'Maximiliane '.repeat(20).trim();
      await page.evaluate(
        `stage.set({ identity: { kind: 'end_user', displayName: ${JSON.stringify(displayName)} } })`,
      );
      const head = widgetOn(page).panel.locator('header');
      const name = head.getByText('Signed in as');
      assert.equal(await name.getAttribute('title'), `Signed in as ${displayName}`);
      const boxes = await Promise.all([head.boundingBox(), name.boundingBox()]);
      assert.ok((boxes[0]?.height ?? 0) < 84 && (boxes[1]?.height ?? 0) < 24);
      assert.ok(await widgetOn(page).button('Close assistant').first().isVisible());
    }),
  );

  it(
    'shows the signed-in user and a title of two words in full on a narrow phone',
    visiting(
      async ({ page }) => {
        await openStage(page, site, { options: { title: 'Acme Documentation' } });
        await page.evaluate(`stage.set({ identity: { kind: 'end_user', displayName: 'Grace' },
          messages: [stage.question('Hi')] })`);
        const head = widgetOn(page).panel.locator('header');
        for (const shown of [head.getByRole('heading'), head.getByText('Signed in as Grace')]) {
          const cut = await shown.evaluate(
            inPage<number>(
              '(node) => Math.max(node.scrollWidth - node.clientWidth, node.scrollHeight - node.clientHeight)',
            ),
          );
          assert.ok(cut <= 0, `${cut} pixels of ${await shown.innerText()} are cut`);
        }
        await widgetOn(page).button('Menu').click();
        await widgetOn(page).button('New conversation').click();
        assert.equal((await callsOf(page, 'newConversation')).length, 1);
      },
      { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true },
    ),
  );

  it(
    'releases everything when it is destroyed',
    visiting(async ({ page, context }) => {
      await countHeld(context);
      await page.goto(site.url('/'));
      const before = await heldBy(page);
      for (let round = 0; round < 3; round++) {
        await page.evaluate(
          `stage.mount({ theme: 'host' }); stage.view.open(); stage.set({ messages: [stage.question('How?'), stage.answer('', { status: 'waiting' })] }); stage.say('So'); stage.finish('So.', ['A']); stage.update({ language: 'es' }); stage.view.destroy()`,
        );
      }
      assert.deepEqual(await heldBy(page), before);
    }),
  );
});
