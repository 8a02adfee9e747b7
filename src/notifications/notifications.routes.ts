import { z } from 'zod';
import { operation, type Operation } from '../platform/http/operation.js';
import { flagText, numberOf } from '../platform/http/paging.js';
import { resource } from '../platform/http/resource.js';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
  listDeliveries,
  retryDelivery,
} from './manage-webhooks.js';
import { sendTestDelivery } from './send-test-delivery.js';
import { deliveryChannels, deliveryStatuses } from './notification.js';
import {
  deliveryReply,
  notificationReply,
  presentDelivery,
  presentNotification,
  presentTestDelivery,
  presentWebhook,
  presentWebhookWithSecret,
  testDeliveryReply,
  webhookReply,
  webhookWithSecretReply,
} from './notifications.schema.js';
import { listNotifications, readNotification } from './read-notifications.js';

const webhooks = '/api/admin/webhooks';
const deliveries = '/api/admin/deliveries';
const address = z.string().min(1).max(2000).describe('An http(s) address, without a user in it.');
export const notificationOperations: Operation[] = [
  ...resource({
    base: '/api/notifications',
    tag: 'Notifications',
    access: 'ask',
    params: numberOf('notification'),
    reply: notificationReply,
    present: presentNotification,
    list: {
      summary: 'Your notifications, newest first',
      query: {
        unread: flagText
          .optional()
          .describe('true: those that were not read yet; false: the others.'),
        conversation_id: z
          .string()
          .min(1)
          .max(100)
          .optional()
          .describe('Only notifications about this conversation.'),
      },
      run: listNotifications,
    },
  }),
  operation({
    method: 'post',
    path: '/api/notifications/:id/read',
    tag: 'Notifications',
    summary: 'Mark a notification as read',
    access: 'ask',
    params: numberOf('notification'),
    replies: { 200: notificationReply },
    handle: async (app, { actor, params }) => ({
      body: presentNotification(await readNotification(app, actor, params.id)),
    }),
  }),
  ...resource({
    base: webhooks,
    tag: 'Administration',
    access: 'administer',
    params: numberOf('webhook'),
    reply: webhookReply,
    present: presentWebhook,
    list: { summary: 'Your organization’s webhooks', run: listWebhooks },
    create: {
      summary: 'Add a webhook; its secret is shown this once',
      body: z.strictObject({ url: address }),
      run: createWebhook,
      reply: webhookWithSecretReply,
      present: presentWebhookWithSecret,
    },
    show: { summary: 'A webhook', run: getWebhook },
    update: {
      summary: 'Change a webhook',
      body: z.strictObject({ url: address, disabled: z.boolean() }).partial(),
      run: updateWebhook,
    },
    delete: { summary: 'Remove a webhook', run: deleteWebhook },
  }),
  operation({
    method: 'post',
    path: `${webhooks}/:id/rotate-secret`,
    tag: 'Administration',
    summary: 'Rotate a webhook’s secret; it is shown only once',
    access: 'administer',
    params: numberOf('webhook'),
    replies: { 200: webhookWithSecretReply },
    showsSecret: true,
    handle: async (app, { actor, params }) => ({
      body: presentWebhookWithSecret(await rotateWebhookSecret(app, actor, params.id)),
    }),
  }),
  operation({
    method: 'post',
    path: `${webhooks}/:id/test`,
    tag: 'Administration',
    summary: 'Send an event of the type webhook.test to a webhook now, and see its answer',
    access: 'administer',
    params: numberOf('webhook'),
    replies: { 200: testDeliveryReply },
    refusals: ['rate_limited'],
    handle: async (app, { actor, params }) => ({
      body: presentTestDelivery(await sendTestDelivery(app, actor, params.id)),
    }),
  }),
  ...resource({
    base: deliveries,
    tag: 'Administration',
    access: 'administer',
    params: numberOf('delivery'),
    reply: deliveryReply,
    present: presentDelivery,
    list: {
      summary: 'What was sent, is being sent and could not be sent, newest first',
      query: {
        status: z.enum(deliveryStatuses).optional().describe('dead: given up.'),
        channel: z.enum(deliveryChannels).optional().describe('How it is sent.'),
      },
      run: listDeliveries,
    },
  }),
  operation({
    method: 'post',
    path: `${deliveries}/:id/retry`,
    tag: 'Administration',
    summary: 'Send a delivery again, now',
    access: 'administer',
    params: numberOf('delivery'),
    replies: { 200: deliveryReply },
    refusals: ['conflict'],
    handle: async (app, { actor, params }) => ({
      body: presentDelivery(await retryDelivery(app, actor, params.id)),
    }),
  }),
];
