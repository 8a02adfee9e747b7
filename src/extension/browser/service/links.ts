import type { AccountLink } from '../messages.js';
import { ServiceError, type Service } from './service.js';

/** The linked person's name on the site. */
export function nameOf({ display_name, email, external_id }: AccountLink): string {
  return display_name ?? email ?? external_id;
}

/** The service's facts about a widget key that a page declares. */
export interface KeyLinks {
  /** The key's app; undefined when the key is not of the organization. */
  app: { id: number; name: string } | undefined;
  /** True when the page's site belongs to that app. A key stands in the HTML, so any page may declare it. */
  isLinkable: boolean;
  /** The signed-in user's link with the app. */
  link: AccountLink | undefined;
}

/** The service's facts about a key that a page of this origin declares. Rejects with ServiceError. */
export async function linksOf(
  service: Service,
  widgetKey: string,
  origin: string,
): Promise<KeyLinks> {
  const query = new URLSearchParams({ widget_key: widgetKey, origin });
  try {
    const { data, app, linkable } = await service.json<{
      data: AccountLink[];
      app: { id: number; name: string };
      linkable: boolean;
    }>('GET', `/api/account-links?${query.toString()}`);
    return { app, isLinkable: linkable, link: linkable ? data[0] : undefined };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    return { app: undefined, isLinkable: false, link: undefined };
  }
}
