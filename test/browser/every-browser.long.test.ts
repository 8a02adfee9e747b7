import assert from 'node:assert/strict';
import {
  everyBrowser,
  NoAnswerError,
  type RunningBrowser,
  type Tab,
} from './support/every-browser.js';
import { seenIn, type Seen } from './support/seen-in.js';
import { openWidgetWorld, type PutPage, type WidgetWorld } from './support/widget-world.js';

const question = 'How do I install the program on Linux?';
const launcher = '[aria-label="Open assistant"]';
const panel = '[role=dialog]';
const stop = '[aria-label="Stop answering"]';
/** An answer can be rated once it is complete. */
const judge = '.answer [aria-label=Helpful]';

for (const [name, openBrowser] of Object.entries(everyBrowser))
  describe(`The widget in ${name}`, function () {
    // If a driver hangs, the visit is repeated: the time limit must allow for both.
    let world: WidgetWorld;
    let browser: RunningBrowser;
    const opened: { close(): Promise<void> }[] = [];
    before(async function () {
      // Long enough to install one.
      this.timeout(900_000);
      opened.push((browser = await openBrowser()));
      opened.push((world = await openWidgetWorld({ config: { answers: { mode: 'auto' } } })));
      world.ollama.answer = () => 'On Linux run **apt install heron** as root [1].';
    });
    after(() => Promise.all(opened.map((one) => one.close())));
    afterEach(() => {
      world.gate.sockets = 'pass';
      world.ollama.stallAfter = undefined;
      world.ollama.release();
    });

    /** The body of a test: a page in a fresh profile, which must have no problem that the widget causes. */
    const on = (made: () => PutPage, body: (seen: Seen, tab: Tab) => Promise<void>) => {
      const visit = async () => {
        const { tab, close } = await browser.openTab();
        try {
          await tab.goto(world.put('/', made()));
          await tab.evaluate(watchProblems);
          const seen = seenIn(tab);
          await seen.shows(launcher);
          await body(seen, tab);
          assert.deepEqual(await tab.evaluate('window.problems'), []);
        } finally {
          // A tab that can't be closed ends with its driver.
          await close().catch(() => undefined);
        }
      };
      // A driver that hangs is no fault of the page, so the visit is repeated. A page that hangs will hang again.
      return () =>
        visit().catch((error: unknown) => {
          if (!(error instanceof NoAnswerError)) throw error;
          console.warn(`${name}: ${error.message} Once more.`);
          return visit();
        });
    };
    const strict = (): PutPage => {
      // WebKit asks for the page's icon, and says so where the policy forbids it.
      const policy = `${world.strictPolicy}; img-src 'self'`;
      return { headers: { 'content-security-policy': policy } };
    };
    /** Types where the focus has to be. */
    const ask = async (seen: Seen, tab: Tab) => {
      await seen.shows('textarea', 'it.matches(":focus")');
      await tab.keyboard.type(question);
      await tab.keyboard.press('Enter');
    };

    it(
      'loads, opens, and answers under a strict Content-Security-Policy',
      on(strict, async (seen, tab) => {
        await seen.click(launcher);
        await ask(seen, tab);
        await seen.shows(judge);
        await seen.shows('.answer strong', 'it.textContent === "apt install heron"');
        await seen.shows('.answer a[href]', 'it.textContent.includes("Installing on Linux")');
      }),
    );

    it(
      'streams an answer, and can stop one',
      on(strict, async (seen, tab) => {
        await seen.click(launcher);
        for (const isStopped of [false, true]) {
          world.ollama.stallAfter = 3;
          const { aborted } = world.ollama;
          await ask(seen, tab);
          await seen.shows('.answer[aria-busy=true] .text', 'it.textContent.includes("On Linux")');
          await seen.hides(`.answer[aria-busy=true] [aria-label=Helpful]`);
          if (isStopped) {
            await seen.click(stop);
            await seen.shows('.answer', 'it.textContent.includes("You stopped this answer.")');
            await world.ollama.until(() => world.ollama.aborted > aborted);
          } else {
            world.ollama.release();
            await seen.shows(judge);
          }
        }
      }),
    );

    it(
      'answers without a WebSocket, and masks personal data before it leaves the page',
      on(
        () => ({ ...strict(), attributes: { 'pii-masking': '' } }),
        async (seen, tab) => {
          world.gate.sockets = 'refuse';
          world.gate.bodies.length = 0;
          await seen.click(launcher);
          await seen.shows('textarea', 'it.matches(":focus")');
          await tab.keyboard.type('I am ana@b.example, DE89370400440532013000. ');
          await ask(seen, tab);
          await seen.shows(judge);
          const sent = world.gate.bodies.filter(({ path }) => path === '/widget/message');
          assert.equal(sent.length, 1);
          assert.match(sent[0]?.body ?? '', /on Linux/);
          assert.doesNotMatch(sent[0]?.body ?? '', /ana@b\.example|DE8937/);
        },
      ),
    );

    it(
      'works with the keyboard alone',
      on(strict, async (seen, tab) => {
        await tab.evaluate(`document.querySelector('#before').focus()`);
        await tab.keyboard.press('Tab');
        await seen.shows(launcher, 'it.matches(":focus-visible")');
        await tab.keyboard.press('Enter');
        await ask(seen, tab);
        await seen.shows(judge);
        await tab.keyboard.press('Escape');
        await seen.hides(panel);
        await seen.shows(launcher, 'it.matches(":focus")');
      }),
    );

    it(
      'follows the page with the theme host, and can be set to light or dark',
      on(
        () => ({ page: 'dark.html', attributes: { theme: 'host' } }),
        async (seen, tab) => {
          const looks = (dark: boolean) =>
            seen.shows(panel, `(${brightness})(it) < 128 === ${dark}`);
          const become = async (theme: string) => {
            await tab.evaluate(
              `void Object.assign(document.documentElement, { style: 'color-scheme: ${theme}' })`,
            );
            await tab.evaluate(`void (document.documentElement.dataset.theme = '${theme}')`);
          };
          await seen.click(launcher);
          await looks(true);
          await seen.shows(panel, 'getComputedStyle(it).fontFamily.includes("Georgia")');
          await become('light');
          await looks(false);
          for (const theme of ['dark', 'light'] as const) {
            await tab.evaluate(`updateAssistant({ theme: '${theme}' })`);
            await looks(theme === 'dark');
          }
        },
      ),
    );

    it(
      'is removed by destroyAssistant, and shows the conversation again after initAssistant',
      on(strict, async (seen, tab) => {
        await seen.click(launcher);
        await ask(seen, tab);
        await seen.shows(judge);
        await tab.evaluate('destroyAssistant()');
        assert.equal(await tab.evaluate(`document.querySelectorAll('assistant-widget').length`), 0);
        await tab.evaluate(`initAssistant({ apiKey: '${world.key.key.key}' })`);
        await seen.click(launcher);
        await seen.shows(judge);
        await ask(seen, tab);
        await seen.shows(judge, 'all.length === 2');
      }),
    );
  });

/** Browsers expose their console in different ways, so the page collects its problems itself. */
const watchProblems = `(() => {
  window.problems = [];
  const note = (problem) => { problems.push(String(problem)); };
  console.error = (...words) => note(words.join(' '));
  addEventListener('error', ({ message }) => note(message));
  addEventListener('unhandledrejection', ({ reason }) => note(reason));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => note(violatedDirective + ' ' + blockedURI));
})()`;

/** The brightness of an element's background, from 0 to 255. */
const brightness = `(it) => {
  const [red, green, blue] = getComputedStyle(it).backgroundColor.match(/[\\d.]+/g).map(Number);
  return (red + green + blue) / 3;
}`;
