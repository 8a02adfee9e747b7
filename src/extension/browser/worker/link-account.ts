import { isTokenProblem, type AccountLink, type LinkMessage, type LinkReply } from '../messages.js';
import { noteSeen } from '../service/notes.js';
import { ServiceError, type Service } from '../service/service.js';
import { readSettings } from '../service/settings.js';
import { readAccount } from '../service/vault.js';
import { askTab, reachTab } from '../tab/reach-tab.js';
import { originOf } from './senders.js';

/**
 * Links the account after the user has confirmed in one of the extension's own pages: fetches the user's token from the
 * site through the tab, and sends it with the widget key to the service. Sends nothing if any detail differs from the
 * confirmation.
 */
export async function linkAccount(service: Service, confirmed: LinkMessage): Promise<LinkReply> {
  const { tabId, origin, widgetKey } = confirmed;
  const [{ server }, account] = await Promise.all([readSettings(), readAccount()]);
  if (server === undefined || account === undefined) return { refused: 'signed_out' };
  const tab = await reachTab(tabId);
  if (tab === undefined || !(await isAt(tabId, origin))) return { problem: 'changed' };
  const reply = await askTab(tab, { type: 'read-token', origin, widgetKey });
  if (reply === undefined) return { problem: 'changed' };
  if ('problem' in reply) {
    return { problem: isTokenProblem(reply.problem) ? reply.problem : 'no_token' };
  }
  // The page or the account has changed since the confirmation.
  const now = await readAccount();
  if (!(await isAt(tabId, origin)) || now?.user.id !== account.user.id) {
    return { problem: 'changed' };
  }
  try {
    // The service refuses a link on a site outside the key's app, whatever was shown.
    const { token, ...session } = reply;
    const body = { widgetKey, token, origin, ...session };
    const link = await service.json<AccountLink>('POST', '/api/account-links', body);
    await noteSeen(server, account.user.id, origin);
    return { link };
  } catch (error) {
    if (!(error instanceof ServiceError)) return { refused: 'offline' };
    return { refused: error.path === 'origin' ? 'other_site' : error.code };
  }
}

async function isAt(tabId: number, origin: string): Promise<boolean> {
  const tab = await chrome.tabs.get(tabId).catch(() => undefined);
  return originOf(tab?.url) === origin;
}
