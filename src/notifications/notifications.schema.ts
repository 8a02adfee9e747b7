import { z } from 'zod';
import {
  deliveryChannels,
  deliveryStatuses,
  notificationKinds,
  type Delivery,
  type Notification,
} from './notification.js';
import type { Webhook } from './webhooks.repository.js';

export const notificationReply = z
  .object({
    id: z.number(),
    kind: z
      .enum(notificationKinds)
      .describe('account_linked is told to the person of a site alone, in its widget.'),
    request_id: z.number().nullable().describe('Null where it is about none.'),
    question: z.string(),
    response: z.string(),
    url: z.string().nullable().describe('The page that the request was about.'),
    conversation_id: z
      .string()
      .nullable()
      .describe('The conversation that the question came from.'),
    entry_id: z.string().nullable().describe('The entry that the answer was published as.'),
    read_at: z.string().nullable().describe('Null while it is unread.'),
    created_at: z.string(),
  })
  .meta({ id: 'Notification' });

export function presentNotification(item: Notification): z.output<typeof notificationReply> {
  const { requestId, question, response, url, entryId } = item.payload;
  return {
    id: item.id,
    kind: item.kind,
    request_id: requestId,
    question,
    response,
    url,
    conversation_id: item.conversationId,
    entry_id: entryId,
    read_at: item.readAt,
    created_at: item.createdAt,
  };
}

export const webhookReply = z
  .object({
    id: z.number(),
    url: z.string(),
    disabled: z.boolean().describe('Whether nothing is sent there for now.'),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Webhook' });

export const webhookWithSecretReply = webhookReply.extend({
  secret: z.string().describe('Verifies what is sent (Standard Webhooks). Shown this once.'),
});

export function presentWebhook(webhook: Webhook): z.output<typeof webhookReply> {
  const { id, url, disabled, createdAt, updatedAt } = webhook;
  return { id, url, disabled, created_at: createdAt, updated_at: updatedAt };
}

export const deliveryReply = z
  .object({
    id: z.number(),
    notification_id: z.number(),
    request_id: z.number().nullable().describe('Null where it is about none.'),
    channel: z.enum(deliveryChannels),
    target: z.string().describe('An e-mail address, or the number of a webhook.'),
    status: z.enum(deliveryStatuses),
    attempts: z.number(),
    last_error: z.string().nullable().describe('Why the last attempt failed; null where none has.'),
    next_attempt_at: z.string().nullable().describe('Null when there is none any more.'),
    delivered_at: z.string().nullable().describe('Null until it has arrived.'),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Delivery' });

export function presentDelivery(delivery: Delivery): z.output<typeof deliveryReply> {
  return {
    id: delivery.id,
    notification_id: delivery.notificationId,
    request_id: delivery.payload.request.requestId,
    channel: delivery.channel,
    target: delivery.target,
    status: delivery.status,
    attempts: delivery.attempts,
    last_error: delivery.lastError,
    next_attempt_at: delivery.status === 'pending' ? delivery.notBefore : null,
    delivered_at: delivery.deliveredAt,
    created_at: delivery.createdAt,
    updated_at: delivery.updatedAt,
  };
}
