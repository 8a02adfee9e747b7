import type { Page } from 'playwright-core';
import { handbook } from '../../support/sample-handbook.js';
import { openGate, type Gate } from '../../browser/support/gate.js';
import { callApi } from '../../support/api-client.js';
import { storeEntry } from '../../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type ConfigInput,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';
import { addKeyWithSecret } from '../../support/widget-keys.js';
import { extensionTextsOf } from '../../../src/extension/browser/texts/texts-of.js';
import { openExtensionBrowser, type ExtensionBrowser } from './extension-browser.js';
import { openHostWithPeople, type HostWithPeople } from './host-with-people.js';

export const texts = extensionTextsOf('en');

/** A service with a handbook, behind a gate; a host on all names below example.com; a browser with the extension. */
export interface ExtensionWorld {
  test: TestApp & { url: string };
  acme: TestOrganization;
  key: string;
  secret: string;
  ann: TestUser;
  bob: TestUser;
  gate: Gate;
  host: HostWithPeople;
  browser: ExtensionBrowser;
  /** The account links of a user, as stored in the service. */
  links: (user: TestUser) => Promise<{ external_id: string; app_name: string }[]>;
  /** The bodies of the requests that link an account. */
  posted: () => string[];
  /** Signs in by the options page. */
  signIn: (user: TestUser) => Promise<void>;
  signOut: () => Promise<void>;
  /** Chooses the language of the extension. */
  speak: (language: 'en' | 'es' | 'de') => Promise<void>;
  /** A page of the host on a name of its own, where a person is signed in. */
  visit: (name: string, person?: string, path?: string) => Promise<Page>;
  close: () => Promise<void>;
}

export async function openExtensionWorld(config: ConfigInput = {}): Promise<ExtensionWorld> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    // Closed in reverse order.
    for (const release of closers.splice(0).reverse()) await release();
  };
  try {
    return await open(config, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  config: ConfigInput,
  closers: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<ExtensionWorld> {
  const opened = <T extends { close: () => Promise<void> }>(made: T): T => {
    closers.push(() => made.close());
    return made;
  };
  const answers = { mode: 'extractive' as const, ...config.answers };
  const test = opened(await serveTestApp({ ...config, answers }));
  const acme = await addOrganization(test, 'Acme', '*.example.com');
  for (const entry of handbook.en) await storeEntry(test, acme, entry);
  const more = { content: 'The herons are fed at nine.', urlPattern: '/feeding' };
  await storeEntry(test, acme, { title: 'Feeding', visibility: 'authenticated', ...more });
  await storeEntry(test, acme, { title: 'Feeding budget', visibility: 'internal', ...more });
  const { key, secret } = await addKeyWithSecret(test, acme);
  const [ann, bob] = [await addUser(test, acme, 'user'), await addUser(test, acme, 'admin')];
  const gate = opened(await openGate(test.url));
  const host = opened(await openHostWithPeople({ service: test.url, key: key.key, secret }));
  const browser = opened(await openExtensionBrowser());
  const { context, address } = browser;
  const options = async (work: (page: Page) => Promise<void>) => {
    const page = await context.newPage();
    await page.goto(address('options.html'));
    await work(page);
    await page.close();
  };
  await options(async (page) => {
    await page.getByLabel(texts.serverAddress).fill(gate.url);
    await page.getByRole('button', { name: texts.save, exact: true }).click();
    await page.getByLabel(texts.email).waitFor();
  });
  return {
    ...{ test, acme, key: key.key, secret, ann, bob, gate, host, browser },
    async links({ token }) {
      const reply = await callApi<{ data: { external_id: string; app_name: string }[] }>(
        `${test.url}/api/account-links`,
        { token },
      );
      return reply.body.data;
    },
    posted: () =>
      gate.bodies.filter(({ path }) => path === '/api/account-links').map(({ body }) => body),
    signIn: ({ email, password }) =>
      options(async (page) => {
        await page.getByLabel(texts.email).fill(email);
        await page.getByLabel(texts.password).fill(password);
        await page.getByRole('button', { name: texts.signIn, exact: true }).click();
        await page.getByText(texts.signedInAs(email)).first().waitFor();
      }),
    signOut: () =>
      options(async (page) => {
        await page.getByRole('button', { name: texts.signOut, exact: true }).click();
        await page.getByRole('button', { name: texts.signIn, exact: true }).waitFor();
      }),
    speak: (language) =>
      browser.worker.evaluate(`chrome.storage.local.get('settings').then(({ settings }) =>
        chrome.storage.local.set({ settings: { ...settings, language: '${language}' } }))`),
    async visit(name, person, path = '/') {
      const page = await context.newPage();
      const site = `${name}.example.com`;
      if (person !== undefined) await page.goto(host.url(`/sign-in?as=${person}`, site));
      await page.goto(host.url(path, site));
      return page;
    },
    close,
  };
}
