import type { LinkMessage, PageMessage, RenewMessage, RenewReply } from '../messages.js';
import { openService } from '../service/open-service.js';
import { ServiceError } from '../service/service.js';
import { onStored } from '../service/settings.js';
import { readAccount } from '../service/vault.js';
import { reachTab } from '../tab/reach-tab.js';
import { invite, markSeen } from './invite.js';
import { linkAccount } from './link-account.js';
import { isOwnPage, pageOf } from './senders.js';
import { registerSites } from './sites.js';

/*
 * The extension's worker. The browser ends it whenever it is idle, so it keeps nothing in memory, and registers its
 * listeners at once.
 */

const service = openService();

/** First of all: closes the stores to content scripts. */
const ready = readAccount().then(registerSites);
ready.catch((error: unknown) => console.error(error));

const renew = () => void registerSites();
chrome.permissions.onAdded.addListener(renew);
chrome.permissions.onRemoved.addListener(renew);
onStored(renew);

// The click lets the extension see this page until the tab goes to another site.
chrome.action.onClicked.addListener((tab) => {
  void openPanel(tab.id, tab.windowId);
  if (tab.id !== undefined) void reachTab(tab.id);
});

async function renewSession(used: string): Promise<RenewReply> {
  try {
    await service.renew(used);
    return {};
  } catch (error) {
    return { refused: error instanceof ServiceError ? error.code : 'offline' };
  }
}

chrome.runtime.onMessage.addListener(
  (message: PageMessage | LinkMessage | RenewMessage, sender, reply) => {
    if (message.type === 'link') {
      if (!isOwnPage(sender)) return false;
      void linkAccount(service, message).then(reply);
      return true;
    }
    if (message.type === 'renew') {
      if (!isOwnPage(sender)) return false;
      void renewSession(message.used).then(reply);
      return true;
    }
    const page = pageOf(sender);
    if (page === undefined) return false;
    switch (message.type) {
      case 'declared':
        if (typeof message.widgetKey !== 'string' || message.widgetKey.length > 250) return false;
        invite(service, page.origin, message.widgetKey).then(reply, () => reply(undefined));
        return true;
      case 'seen':
        void markSeen(page.origin);
        return false;
      case 'open-panel':
        // Await nothing before this: the browser then no longer accepts it as the user's wish.
        void openPanel(page.tabId, sender.tab?.windowId);
        return false;
      default:
        return false;
    }
  },
);

/**
 * Opens the side panel beside a tab; only while handling a click of the user. A browser without side panels shows it in
 * a separate window, which closes with its opener.
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
