import { redactAddress } from '../../../platform/text/redact-address.js';
import type { WidgetLanguage } from '../../../chat/api-types.js';
import { linksOf, type KeyLinks } from '../service/links.js';
import type { Service } from '../service/service.js';

/** The most entries that the service lists for a page. */
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

/** The response of GET /api/knowledge/page. */
interface PageResult {
  contents: PageEntry[];
  domain: { name: string; isRegistered: boolean };
}

export interface KnownPage {
  /** Public entries and those for signed-in users: the page's first, and among them those in the reader's language. */
  entries: PageEntry[];
  /** True when the service has more entries than it lists. */
  isCut: boolean;
  /** True for a site of the user's organization. */
  isOwn: boolean;
  /** The service's facts about the declared key; undefined without a declaration. */
  links: KeyLinks | undefined;
}

export type KnowPage = (address: string, widgetKey: string | undefined) => Promise<KnownPage>;

export interface Knowledge {
  know: KnowPage;
  /** True when a page's site belongs to the user's organization. Rejects with ServiceError. */
  isOwn: (address: string) => Promise<boolean>;
}

/**
 * Asks one service about pages, for one user. For a site of another organization, it sends only the host and not the
 * address of the page. Rejects with ServiceError.
 */
export function createKnowledge(service: Service, language: WidgetLanguage): Knowledge {
  /** Hosts that belong to the organization. Another service or user starts with an empty list. */
  const own = new Set<string>();
  const ask = (url: string, more: Record<string, string> = {}) => {
    const query = new URLSearchParams({ own: 'true', url, ...more });
    return service.json<PageResult>('GET', `/api/knowledge/page?${query.toString()}`);
  };

  /** The service limits the number of entries, so those in the reader's language are requested separately. */
  async function entriesOf(address: string): Promise<Pick<KnownPage, 'entries' | 'isCut'>> {
    const url = redactAddress(address).slice(0, 4096);
    const [own, all] = await Promise.all([ask(url, { language }), ask(url)]);
    const ids = new Set(own.contents.map(({ id }) => id));
    const found = [...own.contents, ...all.contents.filter(({ id }) => !ids.has(id))];
    // Internal entries belong in the back office, for administrators too.
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

/** True when an entry belongs to this page, not to its whole site. */
export function isOfPage({ scope }: PageEntry): boolean {
  return scope === 'view' || scope === 'url_pattern';
}

/** Otherwise in the service's order, the best first. */
function inReadingOrder(entries: PageEntry[], language: WidgetLanguage): PageEntry[] {
  const rank = (entry: PageEntry): number =>
    (isOfPage(entry) ? 0 : 2) + (entry.language === language ? 0 : 1);
  return entries.toSorted((one, other) => rank(one) - rank(other));
}
