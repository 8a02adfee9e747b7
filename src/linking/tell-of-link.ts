import { findUserOf } from '../accounts/users/accounts.repository.js';
import { findLastLanguageOf } from '../conversations/store/messages.repository.js';
import type { EndUser } from '../federation/end-users.repository.js';
import { fillMail } from '../notifications/send-mail.js';
import { notify } from '../notifications/notify.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { findApp } from '../tenancy/sites.repository.js';

/**
 * Notifies the person of a site that an account was linked with them, in the widget and by the site's mail, so that
 * they detect a stolen token. In the language of their last question, else in English.
 */
export async function tellOfLink(
  app: App,
  linkId: number,
  { endUser, userId }: { endUser: EndUser; userId: number },
): Promise<void> {
  const { id: endUserId, organizationId, appId, email } = endUser;
  const account = await findUserOf(app, organizationId, userId);
  const language = (await findLastLanguageOf(app, endUserId)) ?? 'en';
  const linkedAt = timestamp(app.clock);
  const { subject, text } = fillMail('account-linked', language, {
    app: (await findApp(app, appId))?.name ?? '',
    account: shortAddress(account?.email ?? ''),
    time: `${linkedAt.slice(0, 16).replace('T', ' ')} UTC`,
  });
  await notify(app, {
    ...{ organizationId, appId, conversationId: null, email },
    recipient: { userId: null, endUserId, visitorId: null },
    dedupeKey: `account_link:${linkId}`,
    kind: 'account_linked',
    request: {
      ...{ requestId: null, question: subject, response: text.trim(), url: null, entryId: null },
      ...{ language, resolvedAt: linkedAt },
    },
  });
}

/** Enough of an address to recognize one's own. The people of the site need not learn more. */
function shortAddress(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}…${email.slice(at)}`;
}
