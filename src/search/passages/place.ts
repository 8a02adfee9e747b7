/** Where a question was asked: passages that belong there come before equals that do not. */
export interface Place {
  viewId: number | undefined;
  /** The page's host as it may be registered: itself, and the wildcards above it. */
  domains: string[];
  /** URL patterns of published entries that match the page. */
  patterns: string[];
  matches(pattern: string): boolean;
}

export const placeFits = ['view', 'pattern', 'domain', 'app', 'elsewhere', 'no_page'] as const;
/**
 * How a passage belongs to the page that is asked from, the closest first. Nothing is hidden for being `elsewhere`, it
 * is only not raised; `no_page`: there is none to belong to.
 */
export type PlaceFit = (typeof placeFits)[number];

/** What a passage says of where it belongs. */
export interface Placed {
  viewId: number | null;
  domain: string | null;
  urlPattern: string | null;
}

/** How close a passage's place is to the page, by the rules of the page query. */
export function fitOf(passage: Placed, place: Place | undefined): PlaceFit {
  const { viewId, domain, urlPattern } = passage;
  if (place === undefined) return 'no_page';
  if (viewId !== null) return viewId === place.viewId ? 'view' : 'elsewhere';
  if (domain !== null && !place.domains.includes(domain)) return 'elsewhere';
  if (urlPattern !== null) return place.matches(urlPattern) ? 'pattern' : 'elsewhere';
  return domain === null ? 'app' : 'domain';
}
