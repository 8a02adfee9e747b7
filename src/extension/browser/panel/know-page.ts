import { pageAddress } from '../../../platform/text/page-address.js';
import { linksOf, type KeyLinks } from '../service/links.js';
import type { Service } from '../service/service.js';

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

export interface KnownPage {
  /** Public and for signed-in users: what is internal has its place in the back office. */
  entries: PageEntry[];
  isRegistered: boolean;
  /** What the service says of the declared key; undefined where none is declared. */
  links: KeyLinks | undefined;
}

export type KnowPage = (address: string, widgetKey: string | undefined) => Promise<KnownPage>;

/**
 * Asks one service about pages, for one user: of a site that nobody has registered with it, it is told the host alone,
 * and nothing of where on it the user is. Rejects with ServiceError.
 */
export function createKnowPage(service: Service): KnowPage {
  /** Hosts that this service has said to know. Another service, or another user, is asked anew. */
  const registered = new Set<string>();

  return async (address, widgetKey) => {
    const { origin, host } = new URL(address);
    const ask = (url: string) =>
      service.json<PageResult>('GET', `/api/knowledge/page?url=${encodeURIComponent(url)}`);
    if (!registered.has(host) && (await ask(`${origin}/`)).domain.isRegistered) {
      registered.add(host);
    }
    const isRegistered = registered.has(host);
    const [page, links] = await Promise.all([
      isRegistered ? ask(pageAddress(address).slice(0, 4096)) : undefined,
      widgetKey === undefined ? undefined : linksOf(service, widgetKey, origin),
    ]);
    const entries = page?.contents.filter(({ visibility }) => visibility !== 'internal') ?? [];
    return { entries, isRegistered, links };
  };
}
