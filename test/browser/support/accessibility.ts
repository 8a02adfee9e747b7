import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface AxeResult {
  violations: {
    id: string;
    help: string;
    nodes: { target: unknown[]; failureSummary?: string }[];
  }[];
}

/**
 * What axe-core finds against WCAG 2.2 AA and its own best practices in the widget of a page, a line for each;
 * the page round it is the page's matter.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  // By the debugger, which a page's Content-Security-Policy does not bind.
  if (!(await page.evaluate<boolean>('"axe" in window')))
    await page.evaluate(`${readFileSync(path, 'utf8')}; undefined`);
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run({ include: [['${widgetElement}']] }, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      // A page of these tests has landmarks of its own to be in; a widget stands beside them.
      rules: { region: { enabled: false } },
      resultTypes: ['violations'],
    })`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id}: ${help} at ${JSON.stringify(target)} ${failureSummary ?? ''}`,
    ),
  );
}

/** The element that the widget puts into a page. */
export const widgetElement = 'assistant-widget';
