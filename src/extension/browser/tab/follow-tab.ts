/** The tab beside the panel. Its address is known only if the extension may see the page. */
export interface SeenTab {
  id: number;
  url: string | undefined;
  title: string | undefined;
}

/** The window of a panel: its own, or the one from which a separate panel window was opened. */
export function windowOf(search: string): number {
  const given = Number(new URLSearchParams(search).get('window') ?? undefined);
  return Number.isInteger(given) ? given : chrome.windows.WINDOW_ID_CURRENT;
}

export async function activeTab(windowId: number): Promise<SeenTab | undefined> {
  try {
    const [tab] = await chrome.tabs.query({ active: true, windowId });
    return tab?.id === undefined ? undefined : { id: tab.id, url: tab.url, title: tab.title };
  } catch {
    // The window is closed.
    return undefined;
  }
}

/** Calls back when the shown tab, its page, or the extension's permissions change; at most four times a second. */
export function followTab(windowId: number, changed: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      changed();
    }, 250);
  };
  chrome.tabs.onActivated.addListener((info) => {
    if (windowId === chrome.windows.WINDOW_ID_CURRENT || info.windowId === windowId) soon();
  });
  chrome.tabs.onUpdated.addListener((_id, change, tab) => {
    // The title is ignored: it may change often, and is read with each question.
    const tells = change.status ?? change.url;
    if (tab.active && tells !== undefined) soon();
  });
  // The page's own report of a changed declaration. It only makes the panel read the page again.
  chrome.runtime.onMessage.addListener((message: { type?: unknown }, sender) => {
    if (message.type === 'changed' && sender.tab?.active === true) soon();
    return false;
  });
  chrome.permissions.onAdded.addListener(soon);
  chrome.permissions.onRemoved.addListener(soon);
}
