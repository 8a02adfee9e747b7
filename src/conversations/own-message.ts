import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import type { Message } from './conversation.js';
import { findConversation } from './conversations.repository.js';
import { findMessage } from './messages.repository.js';

export interface MessageOfConversation {
  conversationId: string;
  messageId: number;
}

/**
 * A message in a conversation of the actor's own: staff who read one have no part in it. Refuses with `not_found` any
 * other.
 */
export async function getOwnMessage(
  app: Pick<App, 'db' | 'clock'>,
  actor: Actor,
  { conversationId, messageId }: MessageOfConversation,
): Promise<Message> {
  const member = requirePermission(actor, 'ask');
  const userId = member.kind === 'user' ? member.userId : null;
  const owner = { organizationId: member.organizationId, userId };
  const conversation = await findConversation(app, owner, conversationId);
  const message =
    conversation === undefined ? undefined : await findMessage(app, conversation.id, messageId);
  if (message !== undefined) return message;
  const sentence = `There is no message ${messageId} in a conversation ${conversationId} of yours.`;
  throw new AppError('not_found', sentence);
}
