import type { Locator, Page } from 'playwright-core';
import type { KeyWithSecret } from '../../../src/federation/manage-widget-keys.js';
import type { WidgetLanguage } from '../../../src/chat/api-types.js';
import { textsOf } from '../../../src/chat/texts/panel-texts.js';
import type { ClientFrame, ServerFrame } from '../../../src/chat/protocol.js';
import { startOllamaStandIn, type OllamaStandIn } from '../../support/ollama-stand-in.js';
import type { StandInBehaviour } from '../../support/ollama-stand-in-behaviour.js';
import { handbook } from '../../support/sample-handbook.js';
import { storeEntry } from '../../support/stored-entry.js';
import {
  addOrganization,
  serveTestApp,
  type ConfigInput,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';
import { addKeyWithSecret } from '../../support/widget-keys.js';
import { openGate, type Gate } from './gate.js';
import { openHostSite, readPage, type HostSite } from './host-site.js';

/** A domain that the app of the world has registered; the browser finds it on this machine. */
export const hostName = 'docs.example.com';

/** A service with the handbook, reached through a gate, and a site whose pages have its widget. */
export interface WidgetWorld {
  test: TestApp & { url: string };
  acme: TestOrganization;
  key: KeyWithSecret;
  ollama: OllamaStandIn;
  gate: Gate;
  site: HostSite;
  /** The strict policy that the widget must run under. */
  strictPolicy: string;
  /** Puts a page on the site and gives its address. */
  put(path: string, page: PutPage): string;
  close(): Promise<void>;
}

export interface PutPage {
  /** Of test/browser/pages; default: plain.html. */
  page?: string;
  /** Attributes of the script's tag, without `data-`; `api-key` is the world's unless given. */
  attributes?: Record<string, string | undefined>;
  headers?: Record<string, string>;
  host?: string;
  /** More for the page's template. */
  values?: Record<string, string>;
}

/** The address of the script, below the service's. */
export const scriptPath = '/widget/v1/assistant.js';

export async function openWidgetWorld({
  config = {},
  behaviour = {},
}: { config?: ConfigInput; behaviour?: Partial<StandInBehaviour> } = {}): Promise<WidgetWorld> {
  const ollama = await startOllamaStandIn({
    // The stand-in's vectors have no meaning and would only cost time. The tests' questions are found by words.
    models: ['llama3.2:latest'],
    ...behaviour,
  });
  const test = await serveTestApp({
    ...config,
    ollama: { url: ollama.url, ...config.ollama },
    answers: { mode: 'extractive', ...config.answers },
    widget: { allow_localhost: true, ...config.widget },
  });
  const acme = await addOrganization(test, 'Acme', hostName);
  for (const entry of Object.values(handbook).flat()) await storeEntry(test, acme, entry);
  const key = await addKeyWithSecret(test, acme);
  const gate = await openGate(test.url);
  const site = await openHostSite();
  const sockets = gate.url.replace('http', 'ws');
  const strictPolicy =
    `default-src 'none'; script-src ${gate.url}; connect-src ${gate.url} ${sockets}; ` +
    `style-src 'none'; require-trusted-types-for 'script'`;
  return {
    ...{ test, acme, key, ollama, gate, site, strictPolicy },
    put(path, { page = 'plain.html', attributes = {}, headers = {}, host, values = {} }) {
      const publicKey: string = key.key.key;
      const given: Record<string, string | undefined> = { 'api-key': publicKey, ...attributes };
      const script = gate.url + scriptPath;
      const tag = `<script src="${script}"${attributesOf(given)}></script>`;
      const body = readPage(page, {
        ...{
          language: 'en',
          script,
          tag,
          attributes: attributesOf(given),
          key: publicKey,
          service: gate.url,
        },
        ...values,
      });
      site.put(path, { body, headers });
      return site.url(path, host);
    },
    async close() {
      await Promise.all([site.close(), gate.close()]);
      await test.close();
      await ollama.stop();
    },
  };
}

function attributesOf(attributes: Record<string, string | undefined>): string {
  return Object.entries(attributes)
    .map(([name, value]) =>
      value === undefined ? '' : ` data-${name}="${value.replaceAll('"', '&quot;')}"`,
    )
    .join('');
}

/** The widget as people see it, in one of its languages. Elements are found by their accessible names. */
export interface SeenWidget {
  launcher: Locator;
  panel: Locator;
  composer: Locator;
  log: Locator;
  send: Locator;
  /** All questions and answers of the conversation, in order. */
  questions: Locator;
  answers: Locator;
  /** The answers' own words, without what stands below them. */
  said: (text: string | RegExp) => Locator;
  button: (name: string | RegExp) => Locator;
  /** Opens the panel by its button, unless it is still open from the previous page. */
  open: () => Promise<void>;
  /** Types a question, sends it, and waits until its answer is complete. */
  ask: (question: string) => Promise<Locator>;
}

export function widgetOn(page: Page, language: WidgetLanguage = 'en'): SeenWidget {
  const texts = textsOf(language);
  const launcher = page.getByRole('button', { name: texts.open });
  const panel = page.getByRole('dialog', { name: texts.title });
  const composer = panel.getByRole('textbox', { name: texts.placeholder });
  const log = panel.getByRole('log');
  const button = (name: string | RegExp) =>
    panel.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
  const answers = log.getByRole('article', { name: texts.title, exact: true });
  return {
    ...{ launcher, panel, composer, log, button, answers },
    send: button(texts.send),
    said: (text) => answers.locator('.text').getByText(text).first(),
    questions: log.getByRole('article', { name: texts.you, exact: true }),
    async open() {
      await launcher.or(panel).first().waitFor();
      if (!(await panel.isVisible())) await launcher.click();
      await panel.waitFor();
    },
    async ask(question) {
      const before = await answers.count();
      await composer.fill(question);
      await composer.press('Enter');
      const answer = answers.nth(before);
      await answer.and(page.locator('[aria-busy=false]')).waitFor();
      return answer;
    },
  };
}

/** Collects the frames of a page's WebSockets from now on. */
export function watchFrames(page: Page): { sent: ClientFrame[]; received: ServerFrame[] } {
  const frames = { sent: [] as ClientFrame[], received: [] as ServerFrame[] };
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) =>
      frames.sent.push(JSON.parse(String(payload)) as ClientFrame),
    );
    socket.on('framereceived', ({ payload }) =>
      frames.received.push(JSON.parse(String(payload)) as ServerFrame),
    );
  });
  return frames;
}
