import { recordChange } from '../audit/record-change.js';
import { may, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import type { Channel } from '../usage/payer.js';
import { deleteConversationById } from './store/conversations.repository.js';
import { getConversation } from './read-conversations.js';

/**
 * Deletes a conversation with its messages and feedback: the user's own or, for staff, any of the organization. Its
 * cost stays on record. Errors: `not_found` for one that the actor may not read.
 */
export async function deleteConversation(
  app: App,
  actor: Actor,
  id: string,
  over?: Channel,
): Promise<void> {
  await inTransaction(app, async (app) => {
    const conversation = await getConversation(app, actor, id, over);
    await deleteConversationById(app, id);
    if (!may(actor, 'conversations.read_all')) return;
    const { organizationId, userId, appId, channel, createdAt } = conversation;
    await recordChange(app, actor, {
      organizationId,
      action: 'conversation.delete',
      subject: `conversation:${id}`,
      // Without the title: a person who deletes a conversation does not want its text in the record.
      before: { user_id: userId, app_id: appId, channel, created_at: createdAt },
    });
  });
}
