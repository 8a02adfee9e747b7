import type { SessionOptions } from '../../src/chat/session/create-session.js';
import { startOllamaStandIn, type OllamaStandIn } from './ollama-stand-in.js';
import { storeEntry } from './stored-entry.js';
import { addOrganization, serveTestApp, type TestApp, type TestOrganization } from './test-app.js';
import { openTestSession, type TestBrowser, type TestSession } from './test-browser.js';
import { addWidgetKey } from './widget-keys.js';

export const origin = 'https://acme.example';
export const question = 'When are the backups of the server made?';
/** The answer of the model to every question for which knowledge is found. */
export const said = 'They are made every single night [1].';

/** A service with an answering model, and the widget sessions that a test opens. */
export interface SessionWorld {
  readonly test: TestApp & { url: string };
  readonly acme: TestOrganization;
  /** A widget key for visitors. */
  readonly apiKey: string;
  readonly ollama: OllamaStandIn;
  /** Opens a session, which is destroyed after the test. */
  open: (
    browser: TestBrowser,
    options?: Partial<SessionOptions>,
    page?: { url: string; title: string },
    url?: string,
  ) => TestSession;
  /** Holds the model's answer back until `open` is called. */
  holdAnswer: () => { open: () => void };
}

/** Creates a world for each test of the suite that calls this. */
export function useSessionWorld(): SessionWorld {
  let made: Pick<SessionWorld, 'test' | 'acme' | 'apiKey' | 'ollama'> | undefined;
  let opened: TestSession[] = [];
  let answer: () => string | Promise<string>;
  const world = () => {
    if (made === undefined) throw new Error('The world exists only within a test.');
    return made;
  };

  beforeEach(async () => {
    answer = () => said;
    const ollama = await startOllamaStandIn({ answer: () => answer() });
    const test = await serveTestApp({ ollama: { url: ollama.url, concurrency: 8 } });
    const acme = await addOrganization(test);
    const apiKey = await addWidgetKey(test, acme, 'public');
    const content = 'Backups of the server are made every single night.';
    const thisPage = { urlPattern: '/backups' };
    await storeEntry(test, acme, { title: 'Server › Backups (2)', content, ...thisPage });
    await storeEntry(test, acme, {
      title: 'About Acme',
      content: 'Acme keeps servers for others.',
    });
    made = { test, acme, apiKey, ollama };
  });
  afterEach(async () => {
    const { test, ollama } = world();
    opened.forEach((session) => session.destroy());
    opened = [];
    made = undefined;
    await test.close();
    await ollama.stop();
  });

  return {
    get test() {
      return world().test;
    },
    get acme() {
      return world().acme;
    },
    get apiKey() {
      return world().apiKey;
    },
    get ollama() {
      return world().ollama;
    },
    open(browser, options, page, url = world().test.url) {
      const session = openTestSession(browser, url, { apiKey: world().apiKey, ...options }, page);
      opened.push(session);
      return session;
    },
    holdAnswer() {
      let open: () => void = () => undefined;
      const isOpen = new Promise<void>((resolve) => (open = resolve));
      answer = () => isOpen.then(() => said);
      return { open };
    },
  };
}

/** The texts that the session shows: questions and answers. */
export const texts = ({ state }: TestSession) => state.messages.map(({ text }) => text);
