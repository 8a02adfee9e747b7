import { boundContext } from '../../../chat/page/bound-context.js';
import type { PageContext } from '../../../chat/api-types.js';
import { askTab, reachTab } from './reach-tab.js';
import { activeTab } from './follow-tab.js';

/**
 * What a question tells of the page beside the panel: what the content script finds there; its address and title alone
 * where it can't be read; and nothing of it where the extension may not see it, or where it is on no site of the
 * organization. Values of fields are never in it.
 */
export async function pageContext(
  windowId: number,
  elsewhere: string,
  isOwn: (address: string) => Promise<boolean>,
): Promise<PageContext> {
  const tab = await activeTab(windowId);
  const reached = tab && (await reachTab(tab.id));
  const found = reached && (await askTab(reached, { type: 'read-page' }));
  const { url = '', title = '' } = found ?? tab ?? {};
  const isTold = /^https?:/.test(url) && (await isOwn(url));
  // A question needs an address. The service's own belongs to no page.
  return boundContext(isTold ? { ...found, url, title } : { url: elsewhere, title: '' });
}
