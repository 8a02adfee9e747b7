import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { scriptOfPart } from '../browser/support/load-part.js';
import { callApi } from '../support/api-client.js';
import { addOrganization } from '../support/test-app.js';
import { inContentWorld, openPanel, readBanner } from './support/extension-browser.js';
import { openExtensionWorld, texts, type ExtensionWorld } from './support/extension-world.js';
import { wrongEndpoints } from './support/wrong-endpoints.js';

const banner = 'assistant-invitation';

describe('The extension that links accounts', () => {
  let world: ExtensionWorld;
  let panel: Page;
  before(async function () {
    // Long enough to install a browser.
    this.timeout(900_000);
    world = await openExtensionWorld();
    await world.signIn(world.ann);
    panel = await openPanel(world.browser);
  });
  after(() => world.close());
  afterEach(async () => {
    world.host.reset();
    world.gate.bodies.length = 0;
    for (const { token } of [world.ann, world.bob]) {
      await callApi(`${world.test.url}/api/account-links`, { method: 'DELETE', token });
    }
    for (const page of world.browser.context.pages()) {
      if (page.url().startsWith('http')) await page.close();
    }
    assert.deepEqual(world.browser.problems, []);
  });

  const card = (name: string) =>
    panel.getByRole('region', { name: texts.linkTitle(`${name}.example.com:${world.host.port}`) });
  const confirm = (name: string) =>
    card(name).getByRole('button', { name: texts.link, exact: true }).click();
  /** The linked person of the site, in the head of the panel. */
  const linked = () => panel.getByRole('status').getByText('· Host’s paula');
  /** The text at a position of the panel. */
  const seenAt = (x: number, y: number) =>
    panel.evaluate<string>(`document.elementFromPoint(${x}, ${y})?.textContent`);
  /** Waits until the browser has this number of open side panels. */
  async function sidePanels(expected: number): Promise<void> {
    const count = await world.browser.worker.evaluate(`(async () => {
      const end = Date.now() + 5000;
      for (;;) {
        const { length } = await chrome.runtime.getContexts({ contextTypes: ['SIDE_PANEL'] });
        if (length === ${expected} || Date.now() > end) return length;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })()`);
    assert.equal(count, expected, 'open side panels');
  }
  /** Sends a message from the panel to the worker about the active tab, and returns the reply. */
  const sendFromPanel = (message: object) =>
    panel.evaluate(
      `chrome.tabs.query({ active: true, windowId: Number(new URLSearchParams(location.search).get('window')) })
        .then(([tab]) => chrome.runtime.sendMessage({ ...${JSON.stringify(message)}, tabId: tab.id }))`,
    );
  /** Asks the worker, as a content script does, whether the page may show the banner. If not, checks that it has none. */
  async function isInvited(page: Page): Promise<boolean> {
    const message = JSON.stringify({ type: 'declared', widgetKey: world.key });
    const reply = await inContentWorld(page, `chrome.runtime.sendMessage(${message})`);
    if (!reply) assert.equal(await page.locator(banner).count(), 0);
    return Boolean(reply);
  }

  it('invites once, shows the consequences in its own panel, and links only after confirmation', async () => {
    // The strictest policy that a page can have.
    world.host.headers = { 'content-security-policy': "default-src 'none'; style-src 'none'" };
    const page = await world.visit('first', 'paula');
    const violations: string[] = [];
    page.on('console', (message) => violations.push(message.text()));
    const { text, click } = await readBanner(page);
    assert.ok(text.includes(texts.banner.title) && text.includes(texts.banner.invitation), text);
    await click(texts.banner.open);
    await page.locator(banner).waitFor({ state: 'detached' });
    await sidePanels(1);
    await world.browser.worker.evaluate(
      `chrome.windows.getLastFocused({ windowTypes: ['normal'] }).then(({ id: windowId }) => chrome.sidePanel.close({ windowId }))`,
    );
    await sidePanels(0);
    const shown = await card('first').innerText();
    assert.ok(shown.includes(`http://first.example.com:${world.host.port}`), shown);
    assert.ok(shown.includes(world.ann.email) && shown.includes('Acme app'), shown);
    for (const consequence of texts.linkConsequences) assert.ok(shown.includes(consequence));
    assert.equal(world.host.asked.length, 0, 'nothing is asked of the site before');
    assert.deepEqual(world.posted(), []);

    await confirm('first');
    await linked().waitFor();
    const said = panel.getByText(texts.linkedAs('Host’s paula', 'Acme app'));
    await said.first().waitFor();
    assert.equal(
      await panel.evaluate('document.activeElement?.textContent'),
      await said.first().innerText(),
    );
    await panel.getByRole('button', { name: texts.page, exact: true }).click();
    await said.first().waitFor({ state: 'hidden' });
    await panel.getByRole('button', { name: texts.menu, exact: true }).click();
    await panel
      .locator('.popup')
      .getByText(await said.innerText())
      .waitFor();
    await panel.keyboard.press('Escape');
    const [link] = await world.links(world.ann);
    assert.equal(link?.external_id, 'paula', 'the token counts, not the hint on the page');
    const [body = ''] = world.posted();
    const sent = JSON.parse(body) as Record<string, unknown>;
    assert.deepEqual(Object.keys(sent).sort(), ['origin', 'token', 'widgetKey']);
    assert.equal(sent['origin'], new URL(page.url()).origin);
    const { referer, origin, cookie } = world.host.asked[0]?.headers ?? {};
    assert.deepEqual([referer, origin, cookie], [undefined, undefined, 'person=paula']);

    await page.reload();
    assert.equal(await isInvited(page), false, 'not again on the same page');
    const second = await world.visit('first', 'paula', '/second');
    assert.equal(await isInvited(second), false, 'not on a second page of the site');
    assert.deepEqual(violations, []);

    await page.goto(world.browser.address('options.html'));
    await page.getByText(texts.linkedAs('Host’s paula', 'Acme app')).waitFor();
    const unlink = page.getByRole('button', { name: texts.unlinkFrom('Acme app') });
    await unlink.click();
    const question = page.getByRole('group', { name: texts.unlinkQuestion('Acme app') });
    await question.getByText(texts.unlinkNote).waitFor();
    await page.getByRole('button', { name: texts.cancel, exact: true }).click();
    await unlink.click();
    assert.equal(
      (await world.links(world.ann)).length,
      1,
      'nothing happens before it is confirmed',
    );
    const sure = question.getByRole('button', { name: texts.unlink, exact: true });
    const colour = `getComputedStyle(document.querySelector('.question button')).backgroundColor`;
    assert.equal(await page.evaluate(colour), 'rgb(179, 38, 30)', 'the colour of danger');
    world.gate.offline = true;
    await sure.click();
    const why = question.getByRole('alert').getByText(texts.unreachable);
    await why.waitFor();
    const [button, sentence] = [await sure.boundingBox(), await why.boundingBox()];
    assert.ok(button && sentence && sentence.y - (button.y + button.height) < 20, 'beside it');
    world.gate.offline = false;
    for (const problem of world.browser.problems.splice(0)) assert.match(problem, /ERR_/);
    await sure.click();
    await page.getByText(texts.noLinks, { exact: true }).last().waitFor();
    await page.getByRole('status').getByText(texts.unlinked('Acme app')).waitFor();
    assert.deepEqual(await world.links(world.ann), []);
    await page.close();
  });

  it('does not invite again after its banner was dismissed, but invites another user who signs in', async () => {
    const page = await world.visit('dismissed', 'paula');
    const { click } = await readBanner(page);
    await click(texts.banner.dismiss);
    await page.locator(banner).waitFor({ state: 'detached' });
    await page.reload();
    assert.equal(await isInvited(page), false);
    await world.signOut();
    await page.reload();
    assert.equal(await isInvited(page), false, 'nobody is signed in');
    await world.signIn(world.bob);
    await page.reload();
    await readBanner(page);
    await world.signOut();
    await world.signIn(world.ann);
    await page.reload();
    assert.equal(await isInvited(page), false, 'it is remembered for her');
  });

  it('does not invite again after its banner was visible for a while', async () => {
    const page = await world.visit('ignored', 'paula');
    await readBanner(page);
    await world.browser.worker.evaluate(
      `new Promise((resolve) => chrome.storage.onChanged.addListener((changes) => 'seen' in changes && resolve()))`,
    );
    await page.reload();
    assert.equal(await isInvited(page), false);
  });

  it('sends the session that the page declares along with the token', async () => {
    world.host.session = 'the sign-in of four thirty';
    world.host.head = `<meta name="assistant:session" content="${world.host.session}">`;
    await world.visit('signed', 'paula');
    await confirm('signed');
    await linked().waitFor();
    const [body = ''] = world.posted();
    assert.equal((JSON.parse(body) as { session: string }).session, world.host.session);
  });

  it('does not invite a user who is already linked, even if they used another browser', async () => {
    const reply = await callApi<{ token: string }>(`${world.test.url}/widget/token`, {
      key: world.key,
      headers: { 'X-Widget-Secret': world.secret },
      body: { externalId: 'paula', displayName: 'Host’s paula' },
    });
    const origin = 'http://elsewhere.example.com';
    const body = { widgetKey: world.key, token: reply.body.token, origin };
    await callApi(`${world.test.url}/api/account-links`, { token: world.ann.token, body });
    const page = await world.visit('elsewhere', 'paula');
    assert.equal(await isInvited(page), false);
    await linked().waitFor();
  });

  it('links nobody on a site that does not belong to the key’s app, even if it is registered', async () => {
    await addOrganization(world.test, 'Evil', 'evil.example');
    const { host } = world;
    const page = await world.browser.context.newPage();
    await page.goto(host.url('/sign-in?as=mallory', 'evil.example'));
    await page.goto(host.url('/', 'evil.example'));
    const offer = panel.getByRole('region', {
      name: texts.linkTitle(`evil.example:${host.port}`),
    });
    await offer.getByText(texts.linkUnregistered).waitFor();
    assert.equal(await offer.getByRole('button', { name: texts.link, exact: true }).count(), 0);
    assert.equal(await isInvited(page), false);
    // Not even if the panel itself requests it.
    const message = { type: 'link', origin: new URL(page.url()).origin, widgetKey: world.key };
    assert.deepEqual(await sendFromPanel(message), { refused: 'other_site' });
    assert.deepEqual(await world.links(world.ann), []);
  });

  it('refuses to link a person of the host who is already linked to another user', async () => {
    await world.visit('taken', 'paula');
    await confirm('taken');
    await linked().waitFor();
    await world.signOut();
    await world.signIn(world.bob);
    await confirm('taken');
    await card('taken').getByText(texts.alreadyLinked).waitFor();
    assert.deepEqual(await world.links(world.bob), []);
    assert.equal((await world.links(world.ann)).length, 1);
    await world.signOut();
    await world.signIn(world.ann);
  });

  it('notices when a single-page app adds or removes its declaration tags', async () => {
    world.host.declares = false;
    const page = await world.visit('later', 'paula');
    assert.equal(await isInvited(page), true);
    assert.equal(await page.locator(banner).count(), 0, 'nothing is declared yet');
    await page.evaluate(`for (const [name, content] of [
      ['assistant:widget-key', ${JSON.stringify(world.key)}],
      ['assistant:token-endpoint', '/assistant-token'],
    ]) document.head.append(Object.assign(document.createElement('meta'), { name, content }))`);
    await readBanner(page);
    await card('later').waitFor();
    await page.evaluate(`document.querySelector('meta[name="assistant:widget-key"]').remove()`);
    await page.locator(banner).waitFor({ state: 'detached' });
  });

  it('notices declaration tags in a replaced head, and accepts documents without a head', async () => {
    const page = await world.browser.context.newPage();
    const script = await scriptOfPart('extension/browser/page/declaration.ts');
    const watch = () =>
      page.evaluate(
        `${script}; window.keys = []; part.watchDeclaration((one) => keys.push(one?.widgetKey)); undefined`,
      );
    const key = (digit: number) => `wk_live_000000000000000${digit}`;
    const tags = (digit: number) =>
      `<meta name="assistant:widget-key" content="${key(digit)}"><meta name="assistant:token-endpoint" content="/t">`;
    await page.goto(world.host.url('/', 'heads.example.com'));
    await watch();
    const swaps = [
      `document.documentElement.replaceChild(Object.assign(document.createElement('head'), { innerHTML: html }), document.head)`,
      `document.documentElement.innerHTML = '<head>' + html + '</head><body></body>'`,
      `document.open(), document.write('<!doctype html><head>' + html + '</head><body>'), document.close()`,
      `document.head.innerHTML = html`,
    ];
    for (const [at, swap] of swaps.entries()) {
      await page.evaluate(`{ const html = ${JSON.stringify(tags(at))}; ${swap}; }`);
      await page.waitForFunction(`keys.at(-1) === ${JSON.stringify(key(at))}`).catch(() => {
        throw new Error(`not noticed: ${swap}`);
      });
    }
    await page.evaluate(`document.documentElement.innerHTML = ''`);
    await page.waitForFunction(`keys.at(-1) === undefined`);
    await page.goto('data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>');
    await watch();
    assert.equal(await page.evaluate('keys.length'), 1);
    await page.close();
  });

  it('offers no link if the token endpoint’s address is not allowed, and says why', async () => {
    const page = await world.visit('endpoint', 'paula');
    const wrong = wrongEndpoints(world.host).filter(({ endpoint }) => endpoint !== undefined);
    assert.ok(wrong.length > 2);
    for (const { what, problem, endpoint = '' } of wrong) {
      world.host.endpoint = endpoint;
      await page.reload();
      await card('endpoint').getByText(texts.problems[problem]).waitFor();
      const link = card('endpoint').getByRole('button', { name: texts.link, exact: true });
      assert.equal(await link.count(), 0, what);
      assert.equal(await page.locator(banner).count(), 0, what);
      const message = { type: 'link', origin: new URL(page.url()).origin, widgetKey: world.key };
      assert.deepEqual(await sendFromPanel(message), { problem }, what);
      assert.deepEqual([world.host.asked, world.posted()], [[], []], what);
    }
  });

  it('refuses every invalid answer of a token endpoint, sends nothing, and gives the reason by the button', async () => {
    await world.visit('refused', 'paula');
    await card('refused').waitFor();
    await panel.setViewportSize({ width: 360, height: 480 });
    const wrong = wrongEndpoints(world.host).filter(({ endpoint }) => endpoint === undefined);
    for (const { what, problem, behave, asked } of wrong) {
      world.host.reset();
      if (behave !== undefined) world.host.behave = behave;
      await confirm('refused');
      const sentence = card('refused').getByRole('alert').getByText(texts.problems[problem]);
      await sentence.waitFor().catch((error: unknown) => {
        throw new Error(`${what}: ${String(error)}`);
      });
      const button = card('refused').getByRole('button', { name: texts.link, exact: true });
      const { x = 0, y = 0, height = 0 } = (await sentence.boundingBox()) ?? {};
      const { y: top = 0 } = (await button.boundingBox()) ?? {};
      assert.ok(top >= y + height && top < y + height + 30, `${what}: beside the button`);
      for (const edge of [y + 4, y + height - 4])
        assert.equal(await seenAt(x + 20, edge), texts.problems[problem], what);
      assert.equal(world.host.asked.length, asked, `${what}: requests to the host`);
      assert.deepEqual(world.posted(), [], what);
    }
    await panel.setViewportSize({ width: 400, height: 760 });
    assert.deepEqual(await world.links(world.ann), []);
  }).timeout(180_000);

  it('sends nothing if the page declares another key before the confirmation', async () => {
    const page = await world.visit('moved', 'paula');
    await card('moved').waitFor();
    await page.evaluate(
      `document.querySelector('meta[name="assistant:widget-key"]').content = 'wk_live_0000000000000000'`,
    );
    // The panel has shown the previous key.
    const message = { type: 'link', origin: new URL(page.url()).origin, widgetKey: world.key };
    assert.deepEqual(await sendFromPanel(message), { problem: 'changed' });
    assert.deepEqual([world.host.asked, world.posted()], [[], []]);
  });

  it('ignores a page’s forged banners, clicks, messages and frames', async () => {
    const messages = [
      { type: 'link', tabId: 1, origin: 'http://forged.example.com', widgetKey: world.key },
      { type: 'open-panel' },
      { type: 'read-token', origin: 'http://forged.example.com', widgetKey: world.key },
      { type: 'seen' },
    ];
    const page = await world.visit('forged', 'paula');
    await readBanner(page);
    await page.evaluate(`(() => {
      const real = document.querySelector('${banner}');
      const forged = document.createElement('${banner}');
      forged.attachShadow({ mode: 'open' }).innerHTML = '<button>${texts.banner.open}</button>';
      document.documentElement.append(forged);
      forged.shadowRoot.querySelector('button').click();
      if (real.shadowRoot !== null) throw new Error('the page reaches into the banner');
      for (const type of ['click', 'pointerdown', 'pointerup', 'keydown']) {
        const event = new MouseEvent(type, { bubbles: true, composed: true, clientX: 900, clientY: 100 });
        real.dispatchEvent(event);
        document.elementFromPoint(900, 100)?.dispatchEvent(event);
      }
      real.click();
      for (const message of ${JSON.stringify(messages)}) {
        window.postMessage(message, '*');
        for (const target of [window, document, real]) {
          target.dispatchEvent(new CustomEvent(message.type, { detail: message }));
          target.dispatchEvent(new MessageEvent('message', { data: message }));
        }
      }
      const frame = document.createElement('iframe');
      frame.src = location.href + 'framed';
      document.body.append(frame);
      return new Promise((resolve) => { frame.onload = resolve; });
    })()`);
    await sidePanels(0);
    // The same with the rights of the content script, which can do no more than open the panel.
    for (const message of messages.filter(({ type }) => type !== 'open-panel')) {
      const sent = `chrome.runtime.sendMessage(${JSON.stringify(message)}).catch(() => null)`;
      assert.equal((await inContentWorld(page, sent)) ?? null, null, message.type);
    }
    assert.match(
      String(await inContentWorld(page, `chrome.storage.local.get().catch(String)`)),
      /not allowed/,
    );
    assert.match(
      String(await inContentWorld(page, `chrome.storage.session.get().catch(String)`)),
      /not allowed/,
    );
    assert.deepEqual([world.host.asked, world.posted()], [[], []]);
    assert.deepEqual(await world.links(world.ann), []);
  });
});
