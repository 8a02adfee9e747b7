import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { textsOf } from '../../src/chat/texts/panel-texts.js';
import { scriptOfPart } from '../browser/support/load-part.js';
import { callApi } from '../support/api-client.js';
import { addOrganization, type TestUser } from '../support/test-app.js';
import { storeEntry } from '../support/stored-entry.js';
import { extensionTextsOf } from '../../src/extension/browser/texts/texts-of.js';
import { openPanel } from './support/extension-browser.js';
import { openExtensionWorld, texts, type ExtensionWorld } from './support/extension-world.js';

const chat = textsOf('en');

describe('The side panel of the extension', () => {
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

  it('shows what is public and for signed-in users about the page, follows the tabs, and leaves out what is internal', async () => {
    const page = await world.visit('docs', undefined, '/feeding');
    await side(texts.page);
    await heading('docs').waitFor();
    const known = panel.getByRole('main');
    await known.getByText('Feeding', { exact: true }).waitFor();
    await known.getByText(texts.signedInOnly).waitFor();
    await known.getByText('The herons are fed at nine.').waitFor();
    assert.equal(await known.getByText('budget').count(), 0, 'though an administrator may see it');
    await page.goto(world.host.url('/install/linux', 'docs.example.com'));
    await known.getByText('Installing on Linux').waitFor();
    await known.getByText('apt install heron').waitFor();
    const other = await world.visit('wiki', undefined, '/install/windows');
    await heading('wiki').waitFor();
    await known.getByText('Installing on Windows').waitFor();
    await page.bringToFront();
    await heading('docs').waitFor();
    await other.close();
    await page.goto('about:blank');
    await known.getByText(texts.noAccess).waitFor();
    world.gate.requests.length = 0;
    await page.goto(world.host.url('/where/she/is', 'stranger.example'));
    const name = texts.unregistered(`stranger.example:${world.host.port}`);
    await known.getByRole('heading', { name }).waitFor();
    await known.getByText(texts.unregisteredNote).waitFor();
    assert.equal(await known.getByRole('heading').count(), 1);
    assert.doesNotMatch(
      world.gate.requests.join(),
      /where/,
      'of other sites only the host is told',
    );
    await page.close();
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

  it('leaves what is being read as it is when the page is looked at again', async () => {
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
    assert.equal(await second.getByRole('heading').count(), 0, 'its title says that');
    await page.evaluate(`document.title = '(1) Inbox'`);
    const looked = panel.waitForResponse(/\/api\/knowledge\/page/);
    await page.reload();
    await (await looked).finished();
    // What is shown of it is known by now: the panel asks this before it shows anything.
    await panel.evaluate(
      `chrome.permissions.getAll().then(() => new Promise((resolve) => requestAnimationFrame(resolve)))`,
    );
    assert.deepEqual(await isReading(), { open: true, focus: 'SUMMARY' });
    await page.close();
  });

  it('lists the page before the site, chapter by chapter, a few at first, and the tier only where it is not public', async () => {
    const content = 'Gulls live by the sea, where they find what they eat.';
    const page = await world.visit('gulls', undefined, '/gulls/one');
    const at = { domain: `gulls.example.com`, content };
    const titles = [
      ...Array.from({ length: 3 }, (_, number) => `Nests of gulls › Nest ${number}`),
      ...Array.from({ length: 9 }, (_, number) => `Gull ${number}`),
    ];
    for (const title of titles) await storeEntry(world.test, world.acme, { title, ...at });
    await side(texts.page);
    await page.reload();
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

  it('goes on when its session has ended, by one renewal that the worker makes', async () => {
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

  it('answers about the page, with sources, over the extension’s own channel, and tells nothing that was typed there', async () => {
    world.host.body =
      '<form><label>Name <input name="who" value="Paula Secret"></label><input type="password" value="hidden-word"></form>';
    const page = await world.visit('docs', undefined, '/install/linux?token=abc');
    await side(texts.chat);
    const composer = panel.getByRole('textbox', { name: chat.placeholder });
    await composer.fill('How do I install the program on Linux?');
    await composer.press('Enter');
    const answers = panel.getByRole('article', { name: chat.title, exact: true });
    await answers.getByRole('button', { name: chat.helpful, exact: true }).waitFor();
    assert.match(await answers.innerText(), /apt install heron/);
    await answers.getByText('Installing on Linux').first().waitFor();
    assert.doesNotMatch(await answers.innerHTML(), /extension:/, 'no link into the extension');
    const [sent] = world.gate.bodies.filter(({ path }) => path === '/api/conversations/message');
    const body = JSON.parse(sent?.body ?? '{}') as Record<string, unknown>;
    assert.equal(body['channel'], 'extension');
    const { url, title, forms } = body['context'] as Record<string, unknown>;
    assert.equal(url, `http://docs.example.com:${world.host.port}/install/linux?token=`);
    assert.equal(title, 'Herons at home');
    assert.ok(JSON.stringify(forms).includes('"who"'));
    assert.doesNotMatch(sent?.body ?? '', /Paula|hidden-word|abc/);
    const reply = await callApi<{ data: { channel: string; id: string }[] }>(
      `${world.test.url}/api/conversations?user_id=${world.bob.id}`,
      { token: world.bob.token },
    );
    assert.deepEqual(
      reply.body.data.map(({ channel }) => channel),
      ['extension'],
    );
    // It goes on where it was, in a panel that is opened anew, and in the same conversation.
    await panel.reload();
    await panel.getByRole('log').getByText('apt install heron').first().waitFor();
    await composer.fill('And on Windows?');
    await composer.press('Enter');
    await answers.nth(1).getByRole('button', { name: chat.helpful, exact: true }).waitFor();
    assert.match(await answers.nth(1).innerText(), /heron\.msi/);
    await panel.getByRole('button', { name: chat.menu, exact: true }).click();
    await panel.getByRole('button', { name: chat.conversations, exact: true }).click();
    await panel.getByRole('button', { name: /^How do I install the program on Linux/ }).waitFor();
    await panel.getByRole('button', { name: chat.back, exact: true }).click();
    await page.close();
  });

  it('names the pages of a document below the source that was read from them', async () => {
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
    await panel.getByText('The pond is drained in October.').first().waitFor();
    await panel.getByText(chat.pages(7, 7)).waitFor();
  });

  it('tells where on a site she is only on sites of her own organization', async () => {
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
      const told = { url: world.gate.url, title: '', language: 'en' };
      assert.deepEqual(context, { ...told, ...nothing });
      const sent = world.gate.requests.join() + JSON.stringify(world.gate.bodies);
      assert.doesNotMatch(sent, /where|Herons at home/i, name);
      await panel.getByRole('status').getByText(world.bob.email).waitFor();
      await page.close();
    }
    await panel.getByRole('button', { name: chat.askPerson, exact: true }).last().waitFor();
    assert.deepEqual(await faults(panel), [], 'a person to ask');
  });

  it('hands a question to a person, tells of the answer on both sides, and shows it in the conversation', async () => {
    const page = await world.visit('docs', undefined, '/feeding');
    await side(texts.page);
    const composer = panel.getByRole('textbox', { name: chat.placeholder });
    // One press away, as in the widget, and back in the chat.
    await panel.locator('.bar').getByTitle(chat.newConversation, { exact: true }).click();
    await composer.waitFor();
    assert.equal(await panel.getByRole('article').count(), 0, 'an empty conversation');
    const question = 'Who repaints the lighthouse at Cape Wrath?';
    await composer.fill(question);
    await composer.press('Enter');
    await panel.getByRole('button', { name: chat.askPerson, exact: true }).click();
    await panel.getByText(chat.filed).waitFor();
    await side(texts.page);
    const { url } = world.test;
    const { token } = world.bob;
    const open = await callApi<{ data: { id: number; question: string }[] }>(
      `${url}/api/knowledge/requests?status=open`,
      { token },
    );
    const request = open.body.data.find((one) => one.question === question);
    const response = 'The harbour master repaints it each spring.';
    await callApi(`${url}/api/knowledge/requests/${request?.id ?? 0}`, {
      ...{ method: 'PUT', token, body: { status: 'resolved', response } },
    });
    // As when the reader comes back.
    await panel.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await panel.locator('.bar .menu.dot').waitFor();
    await panel.getByRole('button', { name: chat.menu, exact: true }).click();
    const notifications = panel.locator('.popup').getByRole('button', { name: chat.notifications });
    assert.equal(await notifications.innerText(), `${chat.notifications}\n1`);
    await notifications.click();
    await panel.getByText(response).first().waitFor();
    await panel.getByRole('button', { name: chat.back, exact: true }).click();
    const answer = panel.getByRole('article', { name: chat.person });
    await answer.getByText(response).waitFor();
    await panel.locator('.bar .menu:not(.dot)').waitFor();
    assert.deepEqual(await faults(panel), [], 'an answer of a person');
    await page.close();
  });

  it('says beside the question that there are no more for this month', async () => {
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

  it('says when the service can’t be reached, and goes on when it can', async () => {
    const page = await world.visit('docs', undefined, '/feeding');
    await side(texts.page);
    await heading('docs').waitFor();
    world.gate.offline = true;
    await panel.reload();
    await panel.getByRole('alert').getByText(texts.unreachable).first().waitFor();
    const composer = panel.getByRole('textbox', { name: chat.placeholder });
    await composer.fill('How often does the otter eat?');
    await composer.press('Enter');
    await side(texts.page);
    const retry = panel.getByRole('button', { name: texts.retry, exact: true });
    await retry.waitFor();
    world.gate.offline = false;
    // At once, in the page: it may look again by itself meanwhile, and the button is gone then.
    await retry.evaluateAll((buttons: { click(): void }[]) =>
      buttons.forEach((one) => one.click()),
    );
    await heading('docs').waitFor();
    await side(texts.chat);
    // As in the widget, what was asked meanwhile is asked by itself.
    const last = panel.getByRole('log').getByRole('article').last();
    await last
      .getByRole('button', { name: chat.askPerson, exact: true })
      .waitFor({ timeout: 30_000 });
    // The browser tells of requests that failed.
    for (const problem of world.browser.problems.splice(0)) assert.match(problem, /ERR_/);
    await page.close();
  });

  it('has no fault that axe-core finds, nor have the banner and the options', async () => {
    const page = await world.visit('looks', 'paula', '/feeding');
    await panel.getByRole('region', { name: /looks\.example\.com/ }).waitFor();
    assert.deepEqual(await faults(panel), [], 'a site to link');
    await side(texts.chat);
    assert.deepEqual(await faults(panel), [], 'a site to link, and the chat');
    await side(texts.page);
    await panel.getByText('The herons are fed at nine.').waitFor();
    assert.deepEqual(await faults(panel), [], 'what is known');
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
    assert.deepEqual(await faults(page), [], 'a link to take back');
    await page.getByRole('button', { name: texts.unlink, exact: true }).click();
    await page.getByText(texts.noLinks).last().waitFor();
    // The banner in a shadow root that can be looked into.
    await page.goto(world.host.url('/', 'nobody.example.com'));
    const script = await scriptOfPart('extension/browser/page/banner.ts');
    await page.evaluate(
      `${script}; part.showBanner(${JSON.stringify(texts.banner)}, 'en', {}, 'open'); undefined`,
    );
    await page.getByRole('region', { name: texts.banner.title }).waitFor();
    assert.deepEqual(await faults(page, 'assistant-invitation'), [], 'the banner');
    await page.close();
  });

  it('breaks no word and keeps the choice in sight in a narrow panel, and all promises in one of 380 × 800', async () => {
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

  /** Where the head of the panel has its name and its last button. */
  const head = async (buttons = 2) => {
    const name = await panel.getByRole('heading', { level: 1 }).boundingBox();
    const icons = panel.locator('.bar').locator('img, button:has(svg)');
    assert.equal(await icons.count(), buttons, 'a new conversation and the menu');
    const last = await icons.last().boundingBox();
    assert.ok(name && last);
    return { x: name.x, y: name.y, last };
  };

  it('has one head and one menu on both sides, which leads to the conversations and the settings', async () => {
    const menu = panel.getByRole('button', { name: chat.menu, exact: true });
    const item = (name: string) => panel.locator('.popup').getByRole('button', { name });
    // In place of an empty tab the browser would open no other one.
    const page = await world.visit('docs');
    await side(texts.chat);
    const inChat = await head();
    await menu.click();
    await panel.getByText(texts.signedInAs(world.bob.email)).waitFor();
    assert.deepEqual(await panel.locator('.popup button').allInnerTexts(), [
      ...[chat.newConversation, chat.conversations, chat.notifications],
      ...[texts.settings, texts.signOut],
    ]);
    assert.deepEqual(await faults(panel), [], 'the menu');
    await panel.keyboard.press('Escape');
    await item(texts.settings).waitFor({ state: 'hidden' });
    await side(texts.page);
    assert.deepEqual(await head(), inChat);
    await menu.click();
    await panel.getByRole('heading', { level: 1 }).click();
    await item(texts.settings).waitFor({ state: 'hidden' });
    await menu.click();
    const opened = world.browser.context.waitForEvent('page');
    await item(texts.settings).click();
    const options = await opened;
    await options.getByText(texts.signedInAs(world.bob.email)).first().waitFor();
    await options.close();
    await menu.click();
    await item(chat.conversations).click();
    await panel.getByRole('button', { name: /^How do I install the program on Linux/ }).waitFor();
    await panel.getByRole('button', { name: chat.back, exact: true }).click();
    await panel.getByRole('textbox', { name: chat.placeholder }).waitFor();
    await page.close();
  });

  const signInHere = async ({ email, password }: TestUser) => {
    await panel.getByLabel(texts.email).fill(email);
    await panel.getByLabel(texts.password).fill(password);
    await panel.getByRole('button', { name: texts.signIn, exact: true }).click();
  };

  it('leaves nothing of whoever signs out', async () => {
    await side(texts.chat);
    const asked = panel.getByRole('log').getByRole('article', { name: chat.you });
    await asked.first().waitFor();
    const before = await head();
    await world.signOut();
    await panel.getByText(texts.signedOut).waitFor();
    assert.deepEqual(await head(1), before, 'the head stays');
    assert.equal(await panel.getByText(world.bob.email).count(), 0, 'nobody is signed in');
    assert.equal(await asked.count(), 0);
    const stored = await world.browser.worker.evaluate<string>(
      'Promise.all([chrome.storage.local.get(), chrome.storage.session.get()]).then(JSON.stringify)',
    );
    assert.doesNotMatch(stored, /token|Token|@|eyJ|conversation/);
    assert.deepEqual(await faults(panel), [], 'nobody is signed in');
    await signInHere(world.ann);
    await panel.getByRole('log').getByText(chat.greeting).waitFor();
    assert.equal(await asked.count(), 0);
  });

  it('says in the settings that a server was saved once it is, for who closes the page then', async () => {
    const page = await world.browser.context.newPage();
    await page.goto(world.browser.address('options.html'));
    await page.getByLabel(texts.serverAddress).fill(world.test.url);
    // A disk that takes its time.
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

  it('says on its first screen what it does, and takes the address of the service and the sign-in there', async () => {
    await world.browser.worker.evaluate('chrome.storage.local.clear()');
    for (const promise of texts.promises) await panel.getByText(promise).waitFor();
    assert.deepEqual(await faults(panel), [], 'the first screen');
    await panel.getByRole('heading', { name: texts.setUp }).waitFor();
    const address = panel.getByLabel(texts.serverAddress);
    const save = panel.getByRole('button', { name: texts.save, exact: true });
    const asked: string[] = [];
    panel.on('request', (request) => asked.push(request.url()));
    await address.fill('foo');
    await save.click();
    const problem = panel.getByRole('alert').getByText(texts.badAddress);
    const [field, sentence] = [await address.boundingBox(), await problem.boundingBox()];
    assert.ok(field && sentence && sentence.y - (field.y + field.height) < 20, 'beside the field');
    assert.deepEqual(
      await address.evaluate(
        (input: { ariaInvalid: string; ownerDocument: { activeElement: unknown } }) => [
          ...[input.ariaInvalid, input.ownerDocument.activeElement === input],
        ],
      ),
      ['true', true],
    );
    assert.deepEqual(asked, [], 'nothing was asked for');
    assert.deepEqual(await faults(panel), [], 'no address');
    await address.fill('assistant.example.org:9');
    await save.click();
    const noService = texts.notAService('https://assistant.example.org:9');
    await panel.getByRole('alert').getByText(noService).waitFor();
    await address.fill('http://127.0.0.1:9');
    await save.click();
    await panel.getByRole('alert').getByText(texts.notAService('http://127.0.0.1:9')).waitFor();
    await address.fill(world.gate.url);
    await save.click();
    await panel.getByText(texts.signedOut).waitFor();
    await panel.getByRole('heading', { name: texts.signIn }).waitFor();
    await signInHere({ ...world.ann, password: 'a wrong password' });
    await panel.getByText(texts.signInWrong).waitFor();
    await signInHere(world.ann);
    await panel.getByRole('log').getByText(chat.greeting).waitFor();
    for (const problem of world.browser.problems.splice(0)) assert.match(problem, /ERR_/);
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
