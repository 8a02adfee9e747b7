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
 * The violations of WCAG 2.2 AA and of axe-core's best practices, a line for each. Only the widget is checked, unless
 * `whole` includes the page around it. `contrast` checks only the colours.
 */
export async function accessibilityFaults(
  page: Page,
  { whole = false, contrast = false }: { whole?: boolean; contrast?: boolean } = {},
): Promise<string[]> {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  // Evaluated by the debugger, to which the page's Content-Security-Policy does not apply.
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

/** The texts of a page in the accessibility tree, in order, including generated content. */
export async function shownTexts(page: Page): Promise<string[]> {
  return textsOf(await accessibilityTree(page));
}

/** The texts in live regions, which screen readers announce by themselves. */
export async function liveTexts(page: Page): Promise<string[]> {
  const nodes = await accessibilityTree(page);
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const liveOf = (node: AxNode | undefined): unknown =>
    node &&
    (node.properties?.find(({ name }) => name === 'live')?.value.value ??
      liveOf(byId.get(node.parentId ?? '')));
  return textsOf(nodes.filter((node) => ['polite', 'assertive'].includes(String(liveOf(node)))));
}

/** Keeps texts in the widget's live region, which removes them after a second, before a test may read them. */
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
