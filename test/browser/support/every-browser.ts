import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import puppeteer from 'puppeteer-core';
import { Builder, Key, type WebDriver } from 'selenium-webdriver';
import { findProgram, type Program } from './find-program.js';
import { launchBrowser } from './find-browser.js';

/** A page in a fresh profile, with the actions that work in every browser. */
export interface Tab {
  goto(url: string): Promise<unknown>;
  /** The value of an expression in the page, awaited if it is a promise. */
  evaluate(expression: string): Promise<unknown>;
  mouse: { click(x: number, y: number): Promise<void> };
  keyboard: {
    type(text: string): Promise<void>;
    press(key: 'Enter' | 'Escape' | 'Tab'): Promise<void>;
  };
}

export interface RunningBrowser {
  openTab(): Promise<{ tab: Tab; close: () => Promise<void> }>;
  close(): Promise<void>;
}

export const everyBrowser: Record<string, () => Promise<RunningBrowser>> = {
  Chromium: openChromium,
  Firefox: openFirefox,
  WebKit: openWebKit,
};

async function openChromium(): Promise<RunningBrowser> {
  const browser = await launchBrowser();
  return {
    async openTab() {
      const context = await browser.newContext();
      return { tab: await context.newPage(), close: () => context.close() };
    },
    close: () => browser.close(),
  };
}

/** By WebDriver BiDi, which Firefox speaks itself. */
async function openFirefox(): Promise<RunningBrowser> {
  const browser = await puppeteer.launch({
    ...{ browser: 'firefox', executablePath: findFirefox(), headless: true },
    timeout: 120_000,
  });
  return {
    async openTab() {
      const context = await browser.createBrowserContext();
      return { tab: await context.newPage(), close: () => context.close() };
    },
    close: () => browser.close(),
  };
}

/** WebKitGTK by WebDriver. It has no headless mode, so it uses a virtual display. */
async function openWebKit(): Promise<RunningBrowser> {
  const { driver: driverPath, display: displayPath } = findWebKit();
  const display = spawn(displayPath, ['-displayfd', '3', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ended = once(display, 'exit');
  const number = await Promise.race([
    once(display.stdio[3] as Readable, 'data').then(([data]) => String(data).trim()),
    ended.then(() => Promise.reject(new Error(`${displayPath} ended without a display.`))),
  ]);
  const service = new DriverService.Builder(driverPath)
    .setLoopback(true)
    .setEnvironment({ ...process.env, DISPLAY: `:${number}` })
    .build();
  const close = async () => {
    await service.kill();
    display.kill();
    await ended;
  };
  const address = await service.start(60_000).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    async openTab() {
      const capabilities = { browserName: 'MiniBrowser' };
      const driver = await new Builder()
        .usingServer(address)
        .withCapabilities(capabilities)
        .build();
      return { tab: tabOf(driver), close: () => answerOf(driver.quit()) };
    },
    close,
  };
}

// The package names no entry for modules.
const { DriverService } = createRequire(import.meta.url)(
  'selenium-webdriver/remote',
) as typeof import('selenium-webdriver/remote.js');

function tabOf(driver: WebDriver): Tab {
  const keys = { Enter: Key.ENTER, Escape: Key.ESCAPE, Tab: Key.TAB };
  const click = (x: number, y: number) => driver.actions().move({ x, y }).click().perform();
  return {
    goto: (url) => answerOf(driver.get(url)),
    evaluate: (expression) => answerOf(driver.executeScript(`return ${expression}`)),
    mouse: { click: (x, y) => answerOf(click(x, y)) },
    keyboard: {
      type: (text) => answerOf(driver.actions().sendKeys(text).perform()),
      press: (key) => answerOf(driver.actions().sendKeys(keys[key]).perform()),
    },
  };
}

/** The browser no longer answers commands, which proves nothing about the page. */
export class NoAnswerError extends Error {}

const longestAnswerMs = 15_000;

async function answerOf<T>(command: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = wait(longestAnswerMs, undefined, { signal: timer.signal }).then(() => {
    throw new NoAnswerError('WebKit’s driver does not answer.');
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([command, late]);
  } finally {
    timer.abort();
  }
}

export function findFirefox(): string {
  return findProgram({
    ...{ name: 'Firefox', variable: 'FIREFOX_PATH', packages: ['firefox-esr'] },
    ...{ asked: '--version', answers: /firefox/i },
    paths: [
      '/usr/bin/firefox-esr',
      '/usr/bin/firefox',
      '/Applications/Firefox.app/Contents/MacOS/firefox',
    ],
  });
}

/** Its driver, which starts the browser that comes with it, and the display. */
export function findWebKit(): { driver: string; display: string } {
  const packages = ['webkit2gtk-driver', 'xvfb'];
  const find = (program: Omit<Program, 'packages'>) => findProgram({ ...program, packages });
  return {
    driver: find({
      ...{ name: 'WebKitGTK’s WebDriver', variable: 'WEBKIT_DRIVER_PATH' },
      ...{ asked: '--help', answers: /port/, paths: ['/usr/bin/WebKitWebDriver'] },
    }),
    display: find({
      ...{ name: 'Xvfb', variable: 'XVFB_PATH' },
      ...{ asked: '-help', answers: /displayfd/, paths: ['/usr/bin/Xvfb'] },
    }),
  };
}
