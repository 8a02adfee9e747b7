import type { Actor } from '../../platform/actor.js';
import type { Store } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import type { Channel } from '../../usage/payer.js';
import { askerOf, reachOf } from './asker.js';
import type { Message } from './conversation.js';
import { findConversation } from './conversations.repository.js';
import { findMessage } from './messages.repository.js';

export interface MessageOfConversation {
  conversationId: string;
  messageId: number;
}

/**
 * A message in one of the actor's own conversations; staff do not own the conversations that they read. Errors:
 * `not_found` for any other message and, for widget people, messages of another app (reachOf).
 */
export async function getOwnMessage(
  app: Store,
  actor: Actor,
  { conversationId, messageId }: MessageOfConversation,
  over?: Channel,
): Promise<Message> {
  const { owner, actor: asker } = askerOf(actor, over);
  const conversation = await findConversation(app, owner, conversationId);
  const message =
    conversation === undefined ? undefined : await findMessage(app, conversation.id, messageId);
  const isTold = reachOf(asker).otherApps || message?.ofOtherApp === false;
  if (message !== undefined && isTold) return message;
  const sentence = `There is no message ${messageId} in a conversation ${conversationId} of yours.`;
  throw new AppError('not_found', sentence);
}
