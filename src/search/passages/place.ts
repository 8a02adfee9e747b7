/** The page of a question. Passages of this page rank before equal passages of other pages. */
export interface Place {
  viewId: number | undefined;
  /** The page's host in its possible registered forms: itself, and the wildcards above it. */
  domains: string[];
  /** URL patterns of published entries that match the page. */
  patterns: string[];
  /** The page's normalised path, for other patterns. */
  path: string;
}

/** True when a normalised path matches a normalised pattern. `/docs/*` also matches `/docs`. */
export function matchesPattern(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  for (const [index, segment] of wanted.entries()) {
    if (segment === '*') return true;
    const part = given[index];
    if (part === undefined) return false;
    const fits = segment.startsWith(':') && segment.length > 1 ? part !== '' : segment === part;
    if (!fits) return false;
  }
  return wanted.length === given.length;
}

export const placeFits = ['view', 'pattern', 'domain', 'app', 'elsewhere', 'no_page'] as const;
/**
 * How a passage matches the page of the question, the closest match first. `elsewhere` hides nothing; it only gives no
 * bonus. `no_page`: the question has no page.
 */
export type PlaceFit = (typeof placeFits)[number];

export interface Placed {
  viewId: number | null;
  domain: string | null;
  urlPattern: string | null;
}

/** How closely a passage's place matches the page, by the rules of the page query. */
export function fitOf(passage: Placed, place: Place | undefined): PlaceFit {
  const { viewId, domain, urlPattern } = passage;
  if (place === undefined) return 'no_page';
  if (viewId !== null) return viewId === place.viewId ? 'view' : 'elsewhere';
  if (domain !== null && !place.domains.includes(domain)) return 'elsewhere';
  if (urlPattern !== null) return matchesPattern(urlPattern, place.path) ? 'pattern' : 'elsewhere';
  return domain === null ? 'app' : 'domain';
}
