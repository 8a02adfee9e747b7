import type { AccountLink } from '../messages.js';
import { ServiceError, type Service } from './service.js';

/** How a site calls somebody who is linked with it. */
export function nameOf({ display_name, email, external_id }: AccountLink): string {
  return display_name ?? email ?? external_id;
}

/** What the service says of a widget key that a page declares. */
export interface KeyLinks {
  /** The app of the key; undefined where the key is none of the organization's. */
  app: { id: number; name: string } | undefined;
  /** Whether the page's site is one of that app. A key stands in the HTML for all to read: any page may declare it. */
  isLinkable: boolean;
  /** The signed-in user's link to the app. */
  link: AccountLink | undefined;
}

/** What the service has on the key that a page of an origin declares. Rejects with ServiceError. */
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
