import type { AccountLink } from '../messages.js';
import type { Declaration } from '../page/declaration.js';
import { linksOf } from '../service/links.js';
import { ServiceError, type Service } from '../service/service.js';
import { activeTab } from '../tab/follow-tab.js';
import { askTab, reachTab } from '../tab/reach-tab.js';

export interface PageEntry {
  id: number;
  title: string;
  content: string;
  visibility: 'public' | 'authenticated' | 'internal';
}

/** What the service has on a page, as GET /api/knowledge/page tells. */
interface PageResult {
  contents: PageEntry[];
  app: { name: string | null };
  domain: { name: string; isRegistered: boolean };
}

/** The page beside the panel, and what is known of it. */
export type SeenPage =
  /** The extension may not see it. */
  | { kind: 'hidden' }
  /** One of the browser's own. */
  | { kind: 'none' }
  | { kind: 'failed'; error: ServiceError }
  | {
      kind: 'page';
      tabId: number;
      origin: string;
      host: string;
      /** Public and for signed-in users: what is internal has its place in the back office. */
      entries: PageEntry[];
      isRegistered: boolean;
      declaration: Declaration | undefined;
      link: AccountLink | undefined;
    };

/** Looks at the page beside the panel and asks the service about it. */
export async function seePage(service: Service, windowId: number): Promise<SeenPage> {
  const tab = await activeTab(windowId);
  if (tab === undefined) return { kind: 'none' };
  const reached = await reachTab(tab.id);
  const look = reached && (await askTab(reached, { type: 'look' }));
  const address = look?.url ?? tab.url;
  if (address === undefined) return { kind: 'hidden' };
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) return { kind: 'none' };
  try {
    const path = `/api/knowledge/page?url=${encodeURIComponent(url.href.slice(0, 4096))}`;
    const declaration = look?.declaration;
    const [{ contents, domain }, links] = await Promise.all([
      service.json<PageResult>('GET', path),
      declaration === undefined ? [] : linksOf(service, declaration.widgetKey).catch(() => []),
    ]);
    return {
      ...{ kind: 'page', tabId: tab.id, origin: url.origin, host: url.host, declaration },
      entries: contents.filter(({ visibility }) => visibility !== 'internal'),
      ...{ isRegistered: domain.isRegistered, link: links[0] },
    };
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'failed', error };
    throw error;
  }
}
