import type { Notification } from '../notifications/notification.js';
import type { NotificationFrame } from './protocol.js';

/** A notification as a widget is told of it; whether it was read is asked for with the list. */
export function presentNews(item: Notification): NotificationFrame['notification'] {
  const { question, response, url } = item.payload;
  const { id, kind, conversationId: conversation_id, createdAt: created_at } = item;
  return { id, kind, question, response, url, conversation_id, created_at };
}
