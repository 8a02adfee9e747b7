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
 * Passes an end user a conversation that they began as a visitor, with its requests and their answers. The visitor's
 * token proves the ownership. A conversation of the end user stays unchanged. Errors: `not_found` for a conversation of
 * another visitor, and actors who are not end users.
 */
export async function claimConversation(
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
