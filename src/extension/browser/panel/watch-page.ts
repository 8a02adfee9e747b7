import { pageUrl } from '../../../widget/browser/context/page-url.js';
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
      /** Whether an account may be linked there. */
      isLinkable: boolean;
      declaration: Declaration | undefined;
      link: AccountLink | undefined;
    };

/** Hosts that are known to be sites of the organization, for as long as the panel is open. */
const registered = new Set<string>();

/** On a machine of its own a developer's host may be linked as well: nobody else can be there. */
const local = /^(localhost|127\.0\.0\.1)(:\d+)?$/;

/**
 * Looks at the page beside the panel and asks the service about it. Of a site that is none of the organization's it is
 * told the host alone, and nothing of where on it the user is.
 */
export async function seePage(service: Service, windowId: number): Promise<SeenPage> {
  const tab = await activeTab(windowId);
  if (tab === undefined) return { kind: 'none' };
  const reached = await reachTab(tab.id);
  const look = reached && (await askTab(reached, { type: 'look' }));
  // What the browser says counts more than what comes out of the page's own process.
  const address = tab.url ?? look?.url;
  if (address === undefined) return { kind: 'hidden' };
  const { protocol, origin, host, href } = new URL(address);
  if (!/^https?:$/.test(protocol)) return { kind: 'none' };
  const ask = (url: string) =>
    service.json<PageResult>('GET', `/api/knowledge/page?url=${encodeURIComponent(url)}`);
  const page = { kind: 'page' as const, tabId: tab.id, origin, host };
  try {
    if (!registered.has(host) && (await ask(`${origin}/`)).domain.isRegistered) {
      registered.add(host);
    }
    const isRegistered = registered.has(host);
    const isLinkable = isRegistered || local.test(host);
    const declaration = look?.declaration;
    const [{ contents }, links] = await Promise.all([
      isRegistered ? ask(pageUrl(href).slice(0, 4096)) : { contents: [] },
      declaration && isLinkable ? linksOf(service, declaration.widgetKey).catch(() => []) : [],
    ]);
    return {
      ...{ ...page, isRegistered, isLinkable, declaration, link: links[0] },
      entries: contents.filter(({ visibility }) => visibility !== 'internal'),
    };
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'failed', error };
    throw error;
  }
}
