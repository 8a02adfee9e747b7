import { z } from 'zod';
import { presenter } from '../platform/wire-names.js';
import {
  deliveryChannels,
  deliveryStatuses,
  notificationKinds,
  type Delivery,
  type Notification,
} from './notification.js';

export const notificationReply = z
  .object({
    id: z.number(),
    kind: z
      .enum(notificationKinds)
      .describe('account_linked is shown only to the person of a site, in its widget.'),
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

const present = presenter(notificationReply);

export function presentNotification(item: Notification): z.output<typeof notificationReply> {
  return present({ ...item.payload, ...item });
}

export const webhookReply = z
  .object({
    id: z.number(),
    url: z.string(),
    disabled: z.boolean().describe('Whether it is disabled.'),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Webhook' });

export const webhookWithSecretReply = webhookReply.extend({
  secret: z.string().describe('Verifies what is sent (Standard Webhooks). Shown this once.'),
});

export const presentWebhook = presenter(webhookReply);
export const presentWebhookWithSecret = presenter(webhookWithSecretReply);

export const deliveryReply = z
  .object({
    id: z.number(),
    notification_id: z.number(),
    request_id: z.number().nullable().describe('Null where it is about none.'),
    channel: z.enum(deliveryChannels),
    target: z.string().describe('An e-mail address, or the number of a webhook.'),
    status: z.enum(deliveryStatuses),
    attempts: z.number(),
    last_error: z.string().nullable().describe('Why the last attempt failed; null otherwise.'),
    answer_status: z
      .number()
      .nullable()
      .describe('The HTTP status of a webhook’s last answer; null without one.'),
    next_attempt_at: z.string().nullable().describe('Null when there is none any more.'),
    delivered_at: z.string().nullable().describe('Null until it has arrived.'),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Delivery' });

const presentSent = presenter(deliveryReply);

export function presentDelivery(delivery: Delivery): z.output<typeof deliveryReply> {
  return presentSent({
    ...delivery,
    requestId: delivery.payload.request.requestId,
    nextAttemptAt: delivery.status === 'pending' ? delivery.notBefore : null,
  });
}

export const testDeliveryReply = z
  .object({
    delivered: z.boolean().describe('True when the webhook answered with a status of 200 to 299.'),
    answer_status: z.number().nullable().describe('The HTTP status; null without an answer.'),
    error: z.string().nullable().describe('Why it was not delivered; null otherwise.'),
  })
  .meta({ id: 'TestDelivery' });

export const presentTestDelivery = presenter(testDeliveryReply);
