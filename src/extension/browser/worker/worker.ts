import type {
  LinkMessage,
  PageMessage,
  RenewMessage,
  RenewReply,
  BannerReply,
} from '../messages.js';
import { openService } from '../service/open-service.js';
import { ServiceError, type Service } from '../service/service.js';
import { onStored, readSettings } from '../service/settings.js';
import { readAccount } from '../service/vault.js';
import { reachTab } from '../tab/reach-tab.js';
import { linkAccount } from './link-account.js';
import { isOwnPage, pageOf } from './senders.js';
import { registerSites } from './sites.js';
import { linksOf } from '../service/links.js';
import { hasSeen, noteSeen } from '../service/notes.js';
import { languageOf } from '../texts/language-of.js';
import { extensionTextsOf } from '../texts/texts-of.js';

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
async function openPanel(tabId: number | undefined, windowId = -1): Promise<void> {
  const panels = chrome.sidePanel as typeof chrome.sidePanel | undefined;
  if (tabId === undefined) return;
  if (panels !== undefined) {
    await panels.open({ tabId }).catch(() => undefined);
    return;
  }
  const url = chrome.runtime.getURL(`panel.html?window=${windowId}`);
  await chrome.windows.create({ url, type: 'popup', width: 420, height: 720 });
}

/**
 * Decides on the banner for a page that declares a widget key: only for signed-in users, once per site, never for
 * linked users, and only on sites of the key's app. Nothing of the page is trusted; only its key is looked up.
 */
async function invite(service: Service, origin: string, widgetKey: string): Promise<BannerReply> {
  const [{ server, language: chosen }, account] = await Promise.all([
    readSettings(),
    readAccount(),
  ]);
  if (server === undefined || account === undefined) return undefined;
  const userId = account.user.id;
  if (await hasSeen(server, userId, origin)) return undefined;
  const { isLinkable, link } = await linksOf(service, widgetKey, origin);
  if (!isLinkable) return undefined;
  if (link !== undefined) {
    await noteSeen(server, userId, origin);
    return undefined;
  }
  const language = languageOf(chosen);
  return { texts: extensionTextsOf(language).banner, language };
}

/** The banner was answered or visible for a while, so it does not come again. */
async function markSeen(origin: string): Promise<void> {
  const [{ server }, account] = await Promise.all([readSettings(), readAccount()]);
  if (server === undefined || account === undefined) return;
  await noteSeen(server, account.user.id, origin);
}
