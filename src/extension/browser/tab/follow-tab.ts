/** The tab that the panel stands beside; its address is known only where the extension may see the page. */
export interface SeenTab {
  id: number;
  url: string | undefined;
  title: string | undefined;
}

/** The window that a panel belongs to: its own, or the one that a panel in a window of its own was opened from. */
export function windowOf(search: string): number {
  const given = Number(new URLSearchParams(search).get('window') ?? undefined);
  return Number.isInteger(given) ? given : chrome.windows.WINDOW_ID_CURRENT;
}

export async function activeTab(windowId: number): Promise<SeenTab | undefined> {
  try {
    const [tab] = await chrome.tabs.query({ active: true, windowId });
    return tab?.id === undefined ? undefined : { id: tab.id, url: tab.url, title: tab.title };
  } catch {
    // The window is gone.
    return undefined;
  }
}

/**
 * Calls back when another tab is shown, when the shown one goes to another page, and when what may be seen has changed:
 * at most four times a second.
 */
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
    // Not its title: that may blink, and is read when something is asked.
    const tells = change.status ?? change.url;
    if (tab.active && tells !== undefined) soon();
  });
  // The page itself says that it declares something else. More than to look again, nobody is made to by it.
  chrome.runtime.onMessage.addListener((message: { type?: unknown }, sender) => {
    if (message.type === 'changed' && sender.tab?.active === true) soon();
    return false;
  });
  chrome.permissions.onAdded.addListener(soon);
  chrome.permissions.onRemoved.addListener(soon);
}
