import type { TabMessage, TabReplies } from '../messages.js';

/** A document in a tab that the extension may see, with its content script in it. */
export interface ReachedTab {
  tabId: number;
  documentId: string;
}

/**
 * Puts the content script into the page of a tab, which does nothing where it is already. Undefined where the extension
 * may not see the page: no access was given, or it is one of the browser's own.
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

/** Asks that very document: what answers is no page that was loaded in its place. Undefined where it is gone. */
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
