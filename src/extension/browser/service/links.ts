import type { AccountLink } from '../messages.js';
import type { Service } from './service.js';

/** The signed-in user's links to the app of a key. */
export async function linksOf(service: Service, widgetKey: string): Promise<AccountLink[]> {
  const query = `widget_key=${encodeURIComponent(widgetKey)}`;
  const { data } = await service.json<{ data: AccountLink[] }>(
    'GET',
    `/api/account-links?${query}`,
  );
  return data;
}
