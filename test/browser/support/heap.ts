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
    // What the browser keeps for its own console is nothing that the page holds.
    await cdp.send('Runtime.discardConsoleEntries');
    await page.evaluate('performance.clearResourceTimings()');
    // Connections that are being closed hold on to what they belong to until that is over.
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

/** To be evaluated in a page: the widget is started, opened and destroyed so many times. */
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
