import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { packageRoot } from '../../src/platform/package-root.js';
import { launchBrowser } from '../../test/browser/support/find-browser.js';
import { takeBackoffice } from './take-backoffice-pictures.js';
import {
  openWidgetWorld,
  widgetOn,
  type PutPage,
} from '../../test/browser/support/widget-world.js';

/* The pictures of README.md, the manual and docs/widget.md: take them after each change that people see. */

/** Takes the picture of a name, once the page is as it should be. */
export type ShowPage = (name: string, prepare: (page: Page) => Promise<void>) => Promise<void>;

/** As the manual shows the pages of the backoffice. */
const desk = { viewport: { width: 1280, height: 800 }, locale: 'en-GB' };
const desktop = { viewport: { width: 860, height: 700 } };
const phone = { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true };
const question = 'How do I install the program on Linux?';
const answer =
  'Install it from the package source, as root [1]:\n\n```sh\napt install heron\n```\n\nThe installation takes about five minutes. **Restart afterwards**, since the driver is loaded when the system starts [1].';

interface Picture extends PutPage {
  screen: BrowserContextOptions;
  /** What is done before the picture is taken, the panel being open. */
  prepare: (page: Page) => Promise<void>;
}

async function ask(page: Page): Promise<void> {
  await widgetOn(page).ask(question);
}

const pictures: Record<string, Picture> = {
  dark: { screen: desktop, page: 'dark.html', attributes: { theme: 'host' }, prepare: ask },
  phone: { screen: phone, attributes: { theme: 'light' }, prepare: ask },
  sources: {
    screen: desktop,
    attributes: { theme: 'light' },
    async prepare(page) {
      await ask(page);
      const { answers } = widgetOn(page);
      await answers.getByRole('listitem').locator('summary').first().click();
      await answers.locator('blockquote').first().waitFor();
      await answers.last().evaluate((answer) => answer.scrollIntoView({ block: 'end' }));
    },
  },
};

async function takePictures(): Promise<void> {
  const browser = await launchBrowser();
  try {
    await takeDemo(browser);
    await takeWidget(browser);
    await takeBackoffice((name, prepare) =>
      onScreen(browser, desk, async (page) => {
        await prepare(page);
        await takePicture(page, name);
      }),
    );
  } finally {
    await browser.close();
  }
}

/** The site of the demo, as the README's reader will see it. */
async function takeDemo(browser: Browser): Promise<void> {
  const program = join(packageRoot(), 'bin', 'assistant.js');
  const demo = spawn(process.execPath, [program, 'demo'], {
    env: { ...process.env, ASSISTANT_ANSWERS_MODE: 'extractive' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(demo, 'close');
  try {
    for await (const line of createInterface(demo.stderr)) {
      const [url] = /http:\/\/localhost:\d+\//.exec(line) ?? [];
      if (url === undefined) continue;
      await onScreen(browser, { viewport: { width: 960, height: 700 } }, async (page) => {
        await page.goto(`${url}?lang=en`);
        const { launcher, answers } = widgetOn(page);
        await launcher.waitFor();
        await page.getByRole('button', { name: 'How large may a PDF file be?' }).click();
        await answers.and(page.locator('[aria-busy=false]')).waitFor();
        // The page has moved below the pointer.
        await page.mouse.move(0, 0);
        await takePicture(page, 'demo');
      });
      break;
    }
  } finally {
    demo.kill();
    await ended;
  }
}

async function takeWidget(browser: Browser): Promise<void> {
  const world = await openWidgetWorld({
    config: { answers: { mode: 'auto' } },
    behaviour: { answer: () => answer },
  });
  try {
    for (const [name, { screen, prepare, ...put }] of Object.entries(pictures)) {
      await onScreen(browser, screen, async (page) => {
        await page.goto(world.put('/', put));
        await widgetOn(page).open();
        await prepare(page);
        await takePicture(page, `widget-${name}`);
      });
    }
  } finally {
    await world.close();
  }
}

async function onScreen(
  browser: Browser,
  screen: BrowserContextOptions,
  show: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ ...screen, reducedMotion: 'reduce' });
  await show(await context.newPage());
  await context.close();
}

async function takePicture(page: Page, name: string): Promise<void> {
  const path = join(packageRoot(), `docs/images/${name}.png`);
  // A caret that blinks would make each picture another one.
  await page.screenshot({ path, caret: 'hide' });
}

await takePictures();
