import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { packageRoot } from '../../src/platform/package-root.js';
import { launchBrowser } from '../../test/browser/support/find-browser.js';
import {
  openWidgetWorld,
  widgetOn,
  type PutPage,
  type WidgetWorld,
} from '../../test/browser/support/widget-world.js';

/* The pictures of docs/widget.md, taken of the widget as it is: run it after each change that people see. */

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
  light: { screen: desktop, attributes: { theme: 'light' }, prepare: ask },
  dark: { screen: desktop, page: 'dark.html', attributes: { theme: 'host' }, prepare: ask },
  phone: { screen: phone, attributes: { theme: 'light' }, prepare: ask },
  sources: {
    screen: desktop,
    attributes: { theme: 'light' },
    async prepare(page) {
      await ask(page);
      const { answers } = widgetOn(page);
      await answers.getByRole('listitem').locator('summary').first().click();
      await answers.locator('blockquote').first().scrollIntoViewIfNeeded();
      await widgetOn(page).button('Jump to latest').click();
    },
  },
};

async function takePictures(): Promise<void> {
  const world = await openWidgetWorld({
    config: { answers: { mode: 'auto' } },
    behaviour: { answer: () => answer },
  });
  const browser = await launchBrowser();
  try {
    for (const [name, picture] of Object.entries(pictures)) {
      const context = await browser.newContext({ ...picture.screen, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await takePicture(
        world,
        page,
        picture,
        join(packageRoot(), `docs/images/widget-${name}.png`),
      );
      await context.close();
    }
  } finally {
    await browser.close();
    await world.close();
  }
}

async function takePicture(
  world: WidgetWorld,
  page: Page,
  { prepare, ...put }: Picture,
  path: string,
): Promise<void> {
  await page.goto(world.put('/', put));
  await widgetOn(page).open();
  await prepare(page);
  // A caret that blinks would make each picture another one.
  await page.screenshot({ path, caret: 'hide' });
}

await takePictures();
