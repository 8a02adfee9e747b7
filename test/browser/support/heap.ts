import type { Page } from 'playwright-core';

/** What a page has in memory once its garbage is collected. */
export interface Heap {
  bytes: number;
  nodes: number;
  listeners: number;
}

export async function readHeap(page: Page): Promise<Heap> {
  await page.waitForLoadState('networkidle');
  const cdp = await page.context().newCDPSession(page);
  try {
    // The page does not hold what the browser keeps for its console.
    await cdp.send('Runtime.discardConsoleEntries');
    await page.evaluate('performance.clearResourceTimings()');
    // Connections keep their owners in memory until they are closed.
    for (let n = 0; n < 5; n += 1) {
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 50))');
      await cdp.send('HeapProfiler.collectGarbage');
    }
    const { usedSize } = await cdp.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await cdp.send('Memory.getDOMCounters');
    return { bytes: usedSize, nodes, listeners: jsEventListeners };
  } finally {
    await cdp.detach();
  }
}

/** An expression for a page that starts, opens and destroys the widget this many times. */
export function roundsOf(rounds: number, config: object): string {
  return `(async () => {
    for (let n = 0; n < ${rounds}; n += 1) {
      initAssistant(${JSON.stringify(config)});
      Assistant.open();
      await new Promise(requestAnimationFrame);
      destroyAssistant();
      await new Promise(requestAnimationFrame);
    }
  })()`;
}
