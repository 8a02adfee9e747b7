import type { Declaration } from '../messages.js';
import { ServiceError } from '../service/service.js';
import { activeTab } from '../tab/follow-tab.js';
import { askTab, reachTab } from '../tab/reach-tab.js';
import type { KnownPage, KnowPage } from './know-page.js';

/** The page beside the panel and its known facts. */
export type SeenPage =
  /** The extension may not see the page. */
  | { kind: 'hidden' }
  /** A page of the browser itself. */
  | { kind: 'none' }
  | { kind: 'failed'; error: ServiceError }
  | (KnownPage & {
      kind: 'page';
      tabId: number;
      address: string;
      origin: string;
      host: string;
      declaration: Declaration | undefined;
    });

/** Reads the page beside the panel and asks the service about it. */
export async function seePage(know: KnowPage, windowId: number): Promise<SeenPage> {
  const tab = await activeTab(windowId);
  if (tab === undefined) return { kind: 'none' };
  const reached = await reachTab(tab.id);
  const look = reached && (await askTab(reached, { type: 'look' }));
  // The browser's address counts more than the one from the page's own process.
  const address = tab.url ?? look?.url;
  if (address === undefined) return { kind: 'hidden' };
  const { protocol, origin, host } = new URL(address);
  if (!/^https?:$/.test(protocol)) return { kind: 'none' };
  const declaration = look?.declaration;
  try {
    const known = await know(address, declaration?.widgetKey);
    return { ...known, kind: 'page', tabId: tab.id, address, origin, host, declaration };
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'failed', error };
    throw error;
  }
}
