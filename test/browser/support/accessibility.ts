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
 * the page round it is the page's matter. With `whole`, in all of the page. With `contrast`, in the colours alone.
 */
export async function accessibilityFaults(
  page: Page,
  { whole = false, contrast = false }: { whole?: boolean; contrast?: boolean } = {},
): Promise<string[]> {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  // By the debugger, which a page's Content-Security-Policy does not bind.
  if (!(await page.evaluate<boolean>('"axe" in window')))
    await page.evaluate(`${readFileSync(path, 'utf8')}; undefined`);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run(${whole ? 'document' : `{ include: [['${widgetElement}']] }`}, {
      runOnly: ${JSON.stringify(contrast ? ['color-contrast'] : tags)},
      // A page of these tests has landmarks of its own to be in; a widget stands beside them.
      rules: ${contrast ? '{}' : `{ region: { enabled: ${String(whole)} } }`},
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

interface AxNode {
  nodeId: string;
  parentId?: string;
  ignored: boolean;
  role?: { value?: string };
  name?: { value?: string };
  properties?: { name: string; value: { value?: unknown } }[];
}

/** The texts of a page as assistive technology has them, in order; generated ones too. */
export async function shownTexts(page: Page): Promise<string[]> {
  return textsOf(await accessibilityTree(page));
}

/** Those that are read out without being looked for: in live regions that speak. */
export async function liveTexts(page: Page): Promise<string[]> {
  const nodes = await accessibilityTree(page);
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const liveOf = (node: AxNode | undefined): unknown =>
    node &&
    (node.properties?.find(({ name }) => name === 'live')?.value.value ??
      liveOf(byId.get(node.parentId ?? '')));
  return textsOf(nodes.filter((node) => ['polite', 'assertive'].includes(String(liveOf(node)))));
}

/** Has what the widget's live region is told stay there: it is taken away after a second, or sooner than a test looks. */
export async function keepSpoken(page: Page): Promise<void> {
  await page.addInitScript(
    `{ const later = setTimeout; window.setTimeout = (call, ...rest) =>
      String(call).includes('replaceChildren') ? 0 : later(call, ...rest); }`,
  );
}

async function accessibilityTree(page: Page): Promise<AxNode[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: AxNode[] };
  await session.detach();
  return nodes;
}

function textsOf(nodes: readonly AxNode[]): string[] {
  return nodes
    .filter(({ ignored, role }) => !ignored && role?.value === 'StaticText')
    .map(({ name }) => name?.value ?? '');
}
