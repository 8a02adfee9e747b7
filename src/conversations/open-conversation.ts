import { recordChange } from '../audit/record-change.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { getConversation, listMessages } from './read-conversations.js';
import { countMessagesTo } from './store/messages.repository.js';
import type { Conversation, ListedMessage } from './store/conversation.js';

/**
 * A conversation with a page of its messages, for staff: with `at`, the page that holds this message. Reading what
 * somebody else said is recorded. Errors: `forbidden` for actors who may read only their own; `not_found` for a
 * conversation of another organization.
 */
export async function openConversation(
  app: App,
  actor: Actor,
  { id, at, page: asked, limit }: Page & { id: string; at?: number | undefined },
): Promise<{ conversation: Conversation; messages: Paged<ListedMessage>; page: number }> {
  const { organizationId } = requirePermission(actor, 'conversations.read_all');
  const conversation = await getConversation(app, actor, id);
  const isOwn = actor.kind === 'user' && conversation.userId === actor.userId;
  if (!isOwn) {
    const subject = `conversation:${id}`;
    await recordChange(app, actor, { organizationId, action: 'conversation.read', subject });
  }
  const page =
    at === undefined ? asked : Math.ceil((await countMessagesTo(app, id, at)) / limit) || 1;
  const messages = await listMessages(app, actor, { conversationId: id, page, limit });
  return { conversation, messages, page };
}
