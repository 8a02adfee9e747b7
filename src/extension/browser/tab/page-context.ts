import { boundContext } from '../../../chat/page/bound-context.js';
import type { PageContext } from '../../../chat/api-types.js';
import { askTab, reachTab } from './reach-tab.js';
import { activeTab } from './follow-tab.js';

/**
 * The context of a question: the page's content from the content script; only address and title if that can't read it;
 * nothing if the extension may not see the page, or it is on no site of the organization. Never includes values of
 * fields.
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
  // A question needs an address. The service's own address belongs to no page.
  return boundContext(isTold ? { ...found, url, title } : { url: elsewhere, title: '' });
}
