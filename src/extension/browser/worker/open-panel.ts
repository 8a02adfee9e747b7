/**
 * Opens the side panel beside a tab; only while a click of the user's is being handled. A browser without side panels
 * shows it in a window of its own, which goes with the window that it was opened from.
 */
export async function openPanel(tabId: number | undefined, windowId = -1): Promise<void> {
  const panels = chrome.sidePanel as typeof chrome.sidePanel | undefined;
  if (tabId === undefined) return;
  if (panels !== undefined) {
    await panels.open({ tabId }).catch(() => undefined);
    return;
  }
  const url = chrome.runtime.getURL(`panel.html?window=${windowId}`);
  await chrome.windows.create({ url, type: 'popup', width: 420, height: 720 });
}
