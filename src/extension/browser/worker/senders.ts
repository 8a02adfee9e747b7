/** The page that sent a message, according to the browser. */
export interface SendingPage {
  tabId: number;
  origin: string;
}

/** The page whose content script sent this; undefined for other senders, whatever the message claims. */
export function pageOf(sender: chrome.runtime.MessageSender): SendingPage | undefined {
  const { id, tab, frameId, origin } = sender;
  if (id !== chrome.runtime.id || frameId !== 0 || tab?.id === undefined) return undefined;
  if (origin === undefined || originOf(tab.url) !== origin) return undefined;
  return /^https?:/.test(origin) ? { tabId: tab.id, origin } : undefined;
}

/** True when one of the extension's own pages sent this. */
export function isOwnPage({ id, origin, url }: chrome.runtime.MessageSender): boolean {
  const own = chrome.runtime.getURL('');
  return id === chrome.runtime.id && `${origin ?? ''}/` === own && url?.startsWith(own) === true;
}

export function originOf(url: string | undefined): string | undefined {
  try {
    return url === undefined ? undefined : new URL(url).origin;
  } catch {
    return undefined;
  }
}
