import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { textsOf } from '../../src/chat/texts/panel-texts.js';
import { callApi } from '../support/api-client.js';
import { storeEntry } from '../support/stored-entry.js';
import { type TestUser } from '../support/test-app.js';
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

  it('lists public and signed-in entries about the page of the active tab, and no internal ones', async () => {
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
      'only the host of another site is sent',
    );
    await page.close();
  });

  it('answers about the page with sources, over the channel “extension”, and sends no form values', async () => {
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
    // A panel that opens again continues the same conversation.
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

  it('opens a source of the site beside it in the tab of that site', async () => {
    const sourceUrl = world.host.url('/quokka', 'docs.example.com');
    const content = 'The quokka sleeps under the eaves.';
    const entry = { title: 'Quokka', content, sourceUrl, sourceAnchor: 'sleep' };
    await storeEntry(world.test, world.acme, entry);
    const page = await world.visit('docs', undefined, '/install/linux');
    await side(texts.page);
    await heading('docs').waitFor();
    await side(texts.chat);
    const composer = panel.getByRole('textbox', { name: chat.placeholder });
    await composer.fill('Where does the quokka sleep?');
    await composer.press('Enter');
    await panel.getByRole('link', { name: 'Quokka' }).click();
    await page.waitForURL(({ href }) => href.startsWith(`${sourceUrl}#sleep`));
    await page.close();
  });

  it('passes a question on to a person, marks the new answer in its menu, and shows it in the conversation', async () => {
    const page = await world.visit('docs', undefined, '/feeding');
    await side(texts.page);
    const composer = panel.getByRole('textbox', { name: chat.placeholder });
    // A new conversation is one press away, as in the widget, and opens the chat.
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
    // The conversation behind the list may show it too by now.
    await panel.getByText(response).filter({ visible: true }).first().waitFor();
    await panel.getByRole('button', { name: chat.back, exact: true }).click();
    const answer = panel.getByRole('article', { name: chat.person });
    await answer.getByText(response).waitFor();
    await panel.locator('.bar .menu:not(.dot)').waitFor();
    assert.deepEqual(await faults(panel), [], 'an answer of a person');
    await page.close();
  });

  it('says that the service can’t be reached, and continues when it can', async () => {
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
    // Clicks within the page, since the panel may retry by itself and remove the button meanwhile.
    await retry.evaluateAll((buttons) => buttons.forEach((one) => (one as HTMLElement).click()));
    await heading('docs').waitFor();
    await side(texts.chat);
    // As in the widget, a question that was asked meanwhile is sent by itself.
    const last = panel.getByRole('log').getByRole('article').last();
    await last
      .getByRole('button', { name: chat.askPerson, exact: true })
      .waitFor({ timeout: 30_000 });
    // The browser reports the failed requests.
    for (const problem of world.browser.problems.splice(0)) assert.match(problem, /ERR_/);
    await page.close();
  });

  /** The positions of the name and the last button in the head of the panel. */
  const head = async (buttons = 2) => {
    const name = await panel.getByRole('heading', { level: 1 }).boundingBox();
    const icons = panel.locator('.bar').locator('img, button:has(svg)');
    assert.equal(await icons.count(), buttons, 'a new conversation and the menu');
    const last = await icons.last().boundingBox();
    assert.ok(name && last);
    return { x: name.x, y: name.y, last };
  };

  it('has the same head and menu in both views, with conversations and settings', async () => {
    const menu = panel.getByRole('button', { name: chat.menu, exact: true });
    const item = (name: string) => panel.locator('.popup').getByRole('button', { name });
    // With an empty tab, the browser would not open another one for the settings.
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

  it('keeps nothing of a user who signs out', async () => {
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

  it('explains its promises on its first screen, and accepts the server address and the sign-in there', async () => {
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
      await address.evaluate((input) => [
        ...[input.ariaInvalid, input.ownerDocument.activeElement === input],
      ]),
      ['true', true],
    );
    assert.deepEqual(asked, [], 'nothing was requested');
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
