import type { BannerReply } from '../messages.js';
import { linksOf } from '../service/links.js';
import { hasSeen, noteSeen } from '../service/notes.js';
import type { Service } from '../service/service.js';
import { readSettings } from '../service/settings.js';
import { readAccount } from '../service/vault.js';
import { languageOf } from '../texts/language-of.js';
import { extensionTextsOf } from '../texts/texts-of.js';

/**
 * The banner for a page that declares a widget key: to somebody who is signed in, once on each site, never to whom is
 * linked already, and on no site that is none of the key's app. Of the page nothing is believed; its key is asked
 * about, and no more.
 */
export async function invite(
  service: Service,
  origin: string,
  widgetKey: string,
): Promise<BannerReply> {
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

/** The banner was answered, or in sight for a while: it does not come again. */
export async function markSeen(origin: string): Promise<void> {
  const [{ server }, account] = await Promise.all([readSettings(), readAccount()]);
  if (server === undefined || account === undefined) return;
  await noteSeen(server, account.user.id, origin);
}
