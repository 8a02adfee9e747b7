import { askerOf } from '../conversations/store/asker.js';
import {
  giveConversation,
  findConversation,
} from '../conversations/store/conversations.repository.js';
import { verifyVisitorToken, visitorsOfBrowser } from '../federation/visitor-tokens.js';
import { giveNotificationsOf } from '../notifications/notifications.repository.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { giveRequestsOf } from '../requests/requests.repository.js';

/**
 * Makes a conversation that was begun as a visitor one of the end user's, with what was handed to people there and what
 * they answered. The visitor's token proves whose it was. One that is theirs already stays as it is. Refuses with
 * `not_found` a conversation that is not this visitor's, and whoever is no end user.
 */
export async function takeConversationAlong(
  app: App,
  actor: Actor,
  { id, visitorToken }: { id: string; visitorToken: string },
): Promise<void> {
  const { owner } = askerOf(actor, 'widget');
  const visitor = await verifyVisitorToken(app, visitorToken);
  await inTransaction(app, async (app) => {
    if ((await findConversation(app, owner, id)) !== undefined) return;
    const refused = new AppError('not_found', `There is no conversation ${id} of this visitor.`);
    if (actor.kind !== 'end_user' || visitor?.appId !== actor.appId) throw refused;
    const { appId, endUserId } = actor;
    const visitorIds = visitorsOfBrowser(visitor.visitorId);
    if (!(await giveConversation(app, { id, appId }, visitorIds, endUserId))) throw refused;
    await giveRequestsOf(app, id, visitorIds, endUserId);
    await giveNotificationsOf(app, id, visitorIds, endUserId);
  });
}
