import type { TabMessage, TabReplies } from '../messages.js';

/** A document in a tab, with the content script in it. */
export interface ReachedTab {
  tabId: number;
  documentId: string;
}

/**
 * Injects the content script into a tab's page (a second run does nothing). Undefined when the extension may not see
 * the page: without permission, or for a page of the browser.
 */
export async function reachTab(tabId: number): Promise<ReachedTab | undefined> {
  try {
    const [result] = await chrome.scripting.executeScript({
      target: { tabId, frameIds: [0] },
      files: ['content.js'],
    });
    return result && { tabId, documentId: result.documentId };
  } catch {
    return undefined;
  }
}

/** Asks exactly this document, so that no later page answers. Undefined when it is gone. */
export async function askTab<T extends TabMessage>(
  { tabId, documentId }: ReachedTab,
  message: T,
): Promise<TabReplies[T['type']] | undefined> {
  try {
    return await chrome.tabs.sendMessage(tabId, message, { documentId });
  } catch {
    return undefined;
  }
}
