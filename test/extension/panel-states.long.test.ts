import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { textsOf } from '../../src/chat/texts/panel-texts.js';
import { scriptOfPart } from '../browser/support/load-part.js';
import { callApi } from '../support/api-client.js';
import { addOrganization } from '../support/test-app.js';
import { storeEntry } from '../support/stored-entry.js';
import { extensionTextsOf } from '../../src/extension/browser/texts/texts-of.js';
import { openPanel } from './support/extension-browser.js';
import { openExtensionWorld, texts, type ExtensionWorld } from './support/extension-world.js';

const chat = textsOf('en');

describe('The side panel of the extension, in its rarer states', () => {
  let world: ExtensionWorld;
  let panel: Page;
  before(async function () {
    // Long enough to install a browser.
    this.timeout(900_000);
    world = await openExtensionWorld();
    await world.signIn(world.bob);
    panel = await openPanel(world.browser);
  });
  after(() => world.close());
  afterEach(() => {
    world.host.reset();
    world.gate.offline = false;
    assert.deepEqual(world.browser.problems.splice(0), []);
  });

  const side = (name: string) => panel.getByRole('button', { name, exact: true }).click();
  const heading = (name: string) =>
    panel.getByRole('heading', {
      name: texts.knowledgeOf(`${name}.example.com:${world.host.port}`),
    });

  it('suggests first questions about the page in the reader’s language, and none on other sites', async () => {
    const entry = { urlPattern: '/suggest', content: 'The herons are fed by the keeper at nine.' };
    await storeEntry(world.test, world.acme, { title: 'Who feeds the herons', ...entry });
    const german = { title: 'Wer die Reiher füttert', content: 'Die Reiher füttert der Pfleger.' };
    await storeEntry(world.test, world.acme, { ...entry, ...german });
    const page = await world.visit('docs', undefined, '/suggest');
    const [one, other] = ['Who feeds the herons', 'Wer die Reiher füttert'];
    const chips = panel.getByRole('group', { name: chat.suggestions });
    const suggested = () => chips.getByRole('button').allInnerTexts();
    await side(texts.chat);
    await chips.getByRole('button', { name: one }).waitFor();
    assert.deepEqual(await suggested(), [one]);
    await world.speak('de');
    const inGerman = panel.getByRole('group', { name: textsOf('de').suggestions });
    await inGerman.getByRole('button', { name: other }).waitFor();
    assert.equal(await inGerman.getByRole('button').count(), 1);
    await world.speak('en');
    await chips.getByRole('button', { name: one }).waitFor();
    await page.goto(world.host.url('/suggest', 'stranger.example'));
    await chips.waitFor({ state: 'hidden' });
    await page.goBack();
    await chips.getByRole('button', { name: one }).waitFor();
    await page.close();
  });

  it('keeps an entry open and focused when the page is read again', async () => {
    const entry = { urlPattern: '/read', content: '### 1 Reading\n\n### 1.1 Now\n\nRead this.' };
    for (const title of ['First', 'Second'])
      await storeEntry(world.test, world.acme, { title, ...entry });
    const page = await world.visit('docs', undefined, '/read');
    await side(texts.page);
    const second = panel.getByRole('main').locator('details', { hasText: 'Read this.' }).nth(1);
    await second.locator('summary').click();
    const isReading = async () => ({
      open: (await second.getAttribute('open')) !== null,
      focus: await panel.evaluate('document.activeElement?.tagName'),
    });
    assert.deepEqual(await isReading(), { open: true, focus: 'SUMMARY' });
    assert.equal(
      await second.getByRole('heading').count(),
      0,
      'the title is not repeated in the text',
    );
    await page.evaluate(`document.title = '(1) Inbox'`);
    const looked = panel.waitForResponse(/\/api\/knowledge\/page/);
    await page.reload();
    await (await looked).finished();
    // By now the panel has shown the new list, because it requests the permissions before that.
    await panel.evaluate(
      `chrome.permissions.getAll().then(() => new Promise((resolve) => requestAnimationFrame(resolve)))`,
    );
    assert.deepEqual(await isReading(), { open: true, focus: 'SUMMARY' });
    await page.close();
  });

  it('lists entries of the page before those of the site, by chapter, a few at first, with tiers that are not public', async () => {
    const content = 'Gulls live by the sea, where they find what they eat.';
    const at = { domain: `gulls.example.com`, content };
    const titles = [
      ...Array.from({ length: 3 }, (_, number) => `Nests of gulls › Nest ${number}`),
      ...Array.from({ length: 9 }, (_, number) => `Gull ${number}`),
    ];
    for (const title of titles) await storeEntry(world.test, world.acme, { title, ...at });
    // Only now: an open panel would list the first entries while others are being stored.
    const page = await world.visit('gulls', undefined, '/gulls/one');
    await side(texts.page);
    const known = panel.getByRole('main');
    await panel.getByRole('heading', { name: texts.ofSite, exact: true }).waitFor();
    await known.getByText(texts.noneOfPage).waitFor();
    const summaries = async () =>
      (await known.locator('details:not(details details) > summary').allInnerTexts()).map((text) =>
        text.replace(/\s+/g, ' '),
      );
    const all = known.getByRole('button', { name: /^Show all/ });
    await all.waitFor();
    const few = await summaries();
    assert.equal(few.length, 8);
    assert.doesNotMatch(few.join(), /Public|users/);
    await all.click();
    assert.equal(await all.count(), 0);
    const listed = await summaries();
    assert.ok(listed.includes('Nests of gulls 3') && listed.includes('Gull 8'), listed.join());
    assert.equal(listed.length, new Set(listed).size);
    const isCountAlone = await panel.evaluate<boolean>(`(() => {
      const title = [...document.querySelectorAll('summary span')].find(
        ({ textContent }) => textContent === 'Nests of gulls',
      );
      const summary = title.parentElement;
      const count = summary.querySelector('small');
      const isAlone = [];
      for (let width = 110; width < 200; width += 2) {
        summary.style.width = width + 'px';
        const lastLine = [...title.getClientRects()].at(-1);
        isAlone.push(count.getBoundingClientRect().top > lastLine.bottom - 4);
      }
      summary.style.width = '';
      return isAlone.includes(true);
    })()`);
    assert.equal(isCountAlone, false, 'the number of entries stands beside a word');
    await known.getByText('Nests of gulls').click();
    await known.getByText('Nest 2', { exact: true }).click();
    await known.locator('details[open] details[open]').getByText(content).waitFor();
    assert.deepEqual(await faults(panel), [], 'a chapter');
    const own = {
      title: 'One gull',
      urlPattern: '/gulls/one',
      visibility: 'authenticated' as const,
    };
    await storeEntry(world.test, world.acme, { ...at, ...own });
    await page.reload();
    await known.getByText(own.title).waitFor();
    assert.match((await summaries())[0] ?? '', new RegExp(`One gull ${texts.signedInOnly}`));
    assert.equal(await known.getByText(texts.noneOfPage).count(), 0);
    await known.locator('details[open]').getByText(content).waitFor();
    await page.close();
  });

  it('continues after its access token has ended, with a single renewal', async () => {
    const page = await world.visit('docs', undefined, '/feeding');
    await side(texts.page);
    await heading('docs').waitFor();
    world.gate.requests.length = 0;
    await world.browser.worker.evaluate(`chrome.storage.local.get('account').then(({ account }) =>
      chrome.storage.local.set({ account: { ...account, token: 'an-ended.access.token' } }))`);
    await page.goto(world.host.url('/install/linux', 'docs.example.com'));
    await panel.getByRole('main').getByText('apt install heron').waitFor();
    const renewed = world.gate.requests.filter((one) => one === 'POST /api/auth/refresh');
    assert.equal(renewed.length, 1);
    await page.close();
  });

  it('names the document’s pages below a source', async () => {
    const content = 'The pond is drained in October.';
    await storeEntry(world.test, world.acme, {
      title: 'The pond',
      content,
      pageFrom: 7,
      pageTo: 7,
    });
    await side(texts.chat);
    const composer = panel.getByRole('textbox', { name: chat.placeholder });
    await composer.fill('When is the pond drained?');
    await composer.press('Enter');
    await panel.getByRole('log').getByText(content).filter({ visible: true }).first().waitFor();
    await panel.getByText(chat.pages(7, 7)).waitFor();
  });

  it('sends nothing of a page outside the user’s organization except the question', async () => {
    await addOrganization(world.test, 'Rival', 'rival.example');
    for (const name of ['rival.example', 'nobody.example']) {
      world.gate.requests.length = world.gate.bodies.length = 0;
      world.host.body = '<h1>Where she is</h1><form><input name="where"></form>';
      const page = await world.browser.context.newPage();
      await page.goto(world.host.url('/where/she/is?a=where', name));
      await side(texts.page);
      const site = `${name}:${world.host.port}`;
      await panel.getByText(texts.unregistered(site)).waitFor();
      await side(texts.chat);
      const composer = panel.getByRole('textbox', { name: chat.placeholder });
      await composer.fill(`What is ${name}?`);
      const asked = panel.waitForRequest(/\/conversations\/message$/);
      await composer.press('Enter');
      const { context } = (await asked).postDataJSON() as { context: Record<string, unknown> };
      const nothing = {
        forms: [],
        selectedText: '',
        pageStructure: { headings: [], navigation: [] },
      };
      const general = { url: world.gate.url, title: '', language: 'en' };
      assert.deepEqual(context, { ...general, ...nothing });
      const sent = world.gate.requests.join() + JSON.stringify(world.gate.bodies);
      assert.doesNotMatch(sent, /where|Herons at home/i, name);
      await panel.getByRole('status').getByText(world.bob.email).waitFor();
      await page.close();
    }
    await panel.getByRole('button', { name: chat.askPerson, exact: true }).last().waitFor();
    assert.deepEqual(await faults(panel), [], 'the offer to ask a person');
  });

  it('says by the question that the monthly quota is used up, and sends it again after a raise', async () => {
    const page = await world.visit('docs', undefined, '/feeding');
    await side(texts.chat);
    const { token, id } = world.bob;
    const path = `${world.test.url}/api/admin/quotas/users/${id}`;
    const limit = (units: number | null) =>
      callApi(path, { method: 'PUT', token, body: { units_per_month: units } });
    await limit(0);
    const composer = panel.getByRole('textbox', { name: chat.placeholder });
    await composer.fill('How often are updates offered?');
    await composer.press('Enter');
    const last = panel.getByRole('article', { name: chat.you }).last();
    await last.getByText(texts.quota).waitFor();
    assert.equal(await panel.locator('.top').getByText(texts.quota).count(), 0);
    await limit(null);
    await last.getByRole('button', { name: chat.retry }).click();
    const answer = panel.getByRole('article', { name: chat.title, exact: true }).last();
    await answer.getByText('every Tuesday').first().waitFor();
    await page.close();
  });

  it('passes axe-core, and so do the banner and the options page', async () => {
    const page = await world.visit('looks', 'paula', '/feeding');
    await panel.getByRole('region', { name: /looks\.example\.com/ }).waitFor();
    assert.deepEqual(await faults(panel), [], 'a site to link');
    await side(texts.chat);
    assert.deepEqual(await faults(panel), [], 'a site to link, and the chat');
    await side(texts.page);
    await panel.getByText('The herons are fed at nine.').waitFor();
    assert.deepEqual(await faults(panel), [], 'the list of entries');
    await page.goto(world.browser.address('options.html'));
    await page.getByText(texts.signedInAs(world.bob.email)).first().waitFor();
    await page.getByText(texts.noLinks).last().waitFor();
    assert.deepEqual(await faults(page), [], 'the options');
    // This build has its sites in the manifest.
    const sites = page.getByRole('listitem');
    assert.deepEqual(await sites.getByText(texts.fixedSite).count(), await sites.count());
    assert.equal(await page.getByRole('button', { name: texts.forget, exact: true }).count(), 0);
    const token = await callApi<{ token: string }>(`${world.test.url}/widget/token`, {
      ...{ key: world.key, headers: { 'X-Widget-Secret': world.secret } },
      body: { externalId: 'paula' },
    });
    await callApi(`${world.test.url}/api/account-links`, {
      token: world.bob.token,
      body: {
        ...{ widgetKey: world.key, token: token.body.token },
        origin: 'http://looks.example.com',
      },
    });
    await page.reload();
    await page.getByRole('button', { name: texts.unlinkFrom('Acme app') }).click();
    await page.getByText(texts.unlinkQuestion('Acme app')).waitFor();
    assert.deepEqual(await faults(page), [], 'the question before unlinking');
    await page.getByRole('button', { name: texts.unlink, exact: true }).click();
    await page.getByText(texts.noLinks).last().waitFor();
    // The banner in an open shadow root, which axe-core can inspect.
    await page.goto(world.host.url('/', 'nobody.example.com'));
    const script = await scriptOfPart('extension/browser/page/banner.ts');
    await page.evaluate(
      `${script}; part.showBanner(${JSON.stringify(texts.banner)}, 'en', {}, 'open'); undefined`,
    );
    await page.getByRole('region', { name: texts.banner.title }).waitFor();
    assert.deepEqual(await faults(page, 'assistant-invitation'), [], 'the banner');
    await page.close();
  });

  it('keeps its buttons on one line and in view in a narrow panel, and all consequences of linking in view at 380 × 800', async () => {
    const page = await world.visit('narrow', 'paula', '/feeding');
    for (const language of ['de', 'es', 'en'] as const) {
      await panel.setViewportSize({ width: 360, height: 640 });
      await world.speak(language);
      const words = extensionTextsOf(language);
      const button = (name: string) => panel.getByRole('button', { name, exact: true });
      await button(words.link).waitFor();
      for (const name of [words.chat, words.page, words.menu]) {
        const { x = 0, y = 0, width = 0, height = 99 } = (await button(name).boundingBox()) ?? {};
        assert.ok(height < 45, `${name} stands in one line`);
        const end = `document.elementFromPoint(${x + width - 6}, ${y + height / 2}).closest('nav')`;
        assert.ok(await panel.evaluate(`${end} !== null`), `nothing lies over ${name}`);
      }
      for (const name of [words.link, words.notNow]) {
        const box = await button(name).boundingBox();
        assert.ok(box !== null && box.y + box.height <= 640 * 0.65, `${name} is in sight`);
      }
      await panel.setViewportSize({ width: 380, height: 800 });
      const { y: top = 0 } = (await button(words.link).boundingBox()) ?? {};
      for (const promise of words.linkConsequences) {
        const box = await panel.getByText(promise).boundingBox();
        assert.ok(box !== null && box.y + box.height <= top, `${promise} stands above the button`);
      }
      const composer = panel.getByRole('textbox', { name: textsOf(language).placeholder });
      const { y = 0, height = 0 } = (await composer.boundingBox()) ?? {};
      assert.ok(y > top && y + height <= 800, 'the chat can still be used');
    }
    await panel.setViewportSize({ width: 400, height: 760 });
    await page.close();
  });

  it('confirms a new server address in the options only once it is stored', async () => {
    const page = await world.browser.context.newPage();
    await page.goto(world.browser.address('options.html'));
    await page.getByLabel(texts.serverAddress).fill(world.test.url);
    // Simulates a slow disk.
    await page.evaluate(`{
      const { local } = chrome.storage;
      const set = local.set.bind(local);
      local.set = (items) => new Promise((resolve) => setTimeout(resolve, 1000)).then(() => set(items));
    }`);
    await page.getByRole('button', { name: texts.save, exact: true }).click();
    await page.getByText(texts.saved).waitFor();
    const other = await world.browser.context.newPage();
    await other.goto(world.browser.address('options.html'));
    await other.getByRole('button', { name: texts.save, exact: true }).click();
    await other.getByText(texts.saved).waitFor();
    await other.getByLabel(texts.serverAddress).fill('not an address');
    await other.getByRole('button', { name: texts.save, exact: true }).click();
    await other.getByText(texts.badAddress).waitFor();
    assert.equal(await other.getByText(texts.saved).count(), 0, 'one thing at a time');
    await other.close();
    await page.close();
    const stored = await world.browser.worker.evaluate<string>(
      `chrome.storage.local.get('settings').then(({ settings }) => settings.server)`,
    );
    assert.equal(stored, world.test.url);
  });
});

/** What axe-core finds against WCAG 2.2 AA and its own best practices, a line for each. */
async function faults(page: Page, within = 'html'): Promise<string[]> {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(`${readFileSync(path, 'utf8')}; undefined`);
  return page.evaluate<string[]>(
    `axe.run({ include: [['${within}']] }, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: { region: { enabled: ${within === 'html'} } },
      resultTypes: ['violations'],
    }).then(({ violations }) => violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ': ' + help + ' at ' + JSON.stringify(target) + ' ' + failureSummary)))`,
  );
}
