import { may, requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import type { Conversation, Message } from './conversation.js';
import {
  findConversation,
  listConversationsOf,
  listMessagesOf,
  type ConversationOwner,
} from './conversations.repository.js';

/** A page of the conversations that the actor may read: its own, or, for staff, the organization's. */
export async function listConversations(
  app: App,
  actor: Actor,
  input: { page: number; limit: number },
): Promise<{ conversations: Conversation[]; total: number }> {
  const offset = (input.page - 1) * input.limit;
  return listConversationsOf(app, readableBy(actor), { offset, limit: input.limit });
}

/** A page of a conversation's messages, oldest first. Refuses with `not_found` one that is not readable. */
export async function listMessages(
  app: App,
  actor: Actor,
  input: { conversationId: string; page: number; limit: number },
): Promise<{ messages: Message[]; total: number }> {
  const found = await findConversation(app, readableBy(actor), input.conversationId);
  if (found === undefined) {
    throw new AppError(
      'not_found',
      `There is no conversation ${input.conversationId} that you may read.`,
    );
  }
  const offset = (input.page - 1) * input.limit;
  return listMessagesOf(app, found.id, { offset, limit: input.limit });
}

function readableBy(actor: Actor): ConversationOwner {
  const member = requirePermission(actor, 'ask');
  const { organizationId } = member;
  if (may(member, 'conversations.read_all') || member.kind !== 'user') {
    return { organizationId, userId: 'anyone' };
  }
  return { organizationId, userId: member.userId };
}
