import type { BannerReply } from '../messages.js';
import { linksOf } from '../service/links.js';
import { hasSeen, noteSeen } from '../service/notes.js';
import type { Service } from '../service/service.js';
import { readSettings } from '../service/settings.js';
import { readAccount } from '../service/vault.js';
import { languageOf } from '../texts/language-of.js';
import { extensionTextsOf } from '../texts/texts-of.js';

/**
 * Decides on the banner for a page that declares a widget key: only for signed-in users, once per site, never for
 * linked users, and only on sites of the key's app. Nothing of the page is trusted; only its key is looked up.
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

/** The banner was answered or visible for a while, so it does not come again. */
export async function markSeen(origin: string): Promise<void> {
  const [{ server }, account] = await Promise.all([readSettings(), readAccount()]);
  if (server === undefined || account === undefined) return;
  await noteSeen(server, account.user.id, origin);
}
