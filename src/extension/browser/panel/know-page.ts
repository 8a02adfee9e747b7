import { redactAddress } from '../../../platform/text/redact-address.js';
import type { WidgetLanguage } from '../../../chat/api-types.js';
import { linksOf, type KeyLinks } from '../service/links.js';
import type { Service } from '../service/service.js';

/** Entries that the service lists of a page at most. */
const mostListed = 50;

export interface PageEntry {
  id: number;
  title: string;
  content: string;
  visibility: 'public' | 'authenticated' | 'internal';
  scope: 'view' | 'url_pattern' | 'domain_global' | 'app_global';
  /** `en`, `es`, `de` or `other`. */
  language: string;
}

/** What the service has on a page, as GET /api/knowledge/page tells. */
interface PageResult {
  contents: PageEntry[];
  domain: { name: string; isRegistered: boolean };
}

export interface KnownPage {
  /** Public and for signed-in users. What belongs to the page comes first, and of that what the reader can read. */
  entries: PageEntry[];
  /** Whether the service has more than it lists. */
  isCut: boolean;
  /** Whether it is a site of the user's organization. */
  isOwn: boolean;
  /** What the service says of the declared key; undefined where none is declared. */
  links: KeyLinks | undefined;
}

export type KnowPage = (address: string, widgetKey: string | undefined) => Promise<KnownPage>;

export interface Knowledge {
  know: KnowPage;
  /** Whether a page's site is one of the user's organization. Rejects with ServiceError. */
  isOwn: (address: string) => Promise<boolean>;
}

/**
 * Asks one service about pages, for one user: of a site that is none of their organization's, it is told the host alone,
 * and nothing of where on it the user is. Rejects with ServiceError.
 */
export function createKnowledge(service: Service, language: WidgetLanguage): Knowledge {
  /** Hosts that this service has said to know. Another service, or another user, is asked anew. */
  const own = new Set<string>();
  const ask = (url: string, more: Record<string, string> = {}) => {
    const query = new URLSearchParams({ own: 'true', url, ...more });
    return service.json<PageResult>('GET', `/api/knowledge/page?${query.toString()}`);
  };

  /** The service gives so many entries at most: those in the reader's language are asked for by themselves. */
  async function entriesOf(address: string): Promise<Pick<KnownPage, 'entries' | 'isCut'>> {
    const url = redactAddress(address).slice(0, 4096);
    const [own, all] = await Promise.all([ask(url, { language }), ask(url)]);
    const ids = new Set(own.contents.map(({ id }) => id));
    const found = [...own.contents, ...all.contents.filter(({ id }) => !ids.has(id))];
    // What is internal has its place in the back office, for administrators too.
    const entries = found.filter(({ visibility }) => visibility !== 'internal');
    return { entries: inReadingOrder(entries, language), isCut: all.contents.length >= mostListed };
  }

  async function isOwn(address: string): Promise<boolean> {
    const { origin, host } = new URL(address);
    if (!own.has(host) && (await ask(`${origin}/`)).domain.isRegistered) own.add(host);
    return own.has(host);
  }

  return {
    isOwn,
    async know(address, widgetKey) {
      const { origin } = new URL(address);
      const isKnown = await isOwn(address);
      const [known, links] = await Promise.all([
        isKnown ? entriesOf(address) : { entries: [], isCut: false },
        widgetKey === undefined ? undefined : linksOf(service, widgetKey, origin),
      ]);
      return { ...known, isOwn: isKnown, links };
    },
  };
}

/** Whether an entry belongs to this very page, and not to all of its site. */
export function isOfPage({ scope }: PageEntry): boolean {
  return scope === 'view' || scope === 'url_pattern';
}

/** Else in the order of the service, the best first. */
function inReadingOrder(entries: PageEntry[], language: WidgetLanguage): PageEntry[] {
  const rank = (entry: PageEntry): number =>
    (isOfPage(entry) ? 0 : 2) + (entry.language === language ? 0 : 1);
  return entries.toSorted((one, other) => rank(one) - rank(other));
}
