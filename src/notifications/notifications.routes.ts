import { z } from 'zod';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, pagingQuery } from '../platform/http/paging.js';
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
import { deliveryChannels, deliveryStatuses } from './notification.js';
import {
  deliveryReply,
  notificationReply,
  presentDelivery,
  presentNotification,
  presentWebhook,
  webhookReply,
  webhookWithSecretReply,
} from './notifications.schema.js';
import { listNotifications, readNotification } from './read-notifications.js';

const idOf = (what: string) =>
  z.object({ id: z.coerce.number().int().min(1).describe(`The number of the ${what}.`) });
const webhooks = '/api/admin/webhooks';
const deliveries = '/api/admin/deliveries';
const address = z.string().min(1).max(2000).describe('An http(s) address, without a user in it.');

export const notificationOperations: Operation[] = [
  operation({
    method: 'get',
    path: '/api/notifications',
    tag: 'Notifications',
    summary: 'Your notifications, newest first',
    access: 'ask',
    query: z.strictObject({
      ...pagingQuery,
      unread: z
        .enum(['true', 'false'])
        .optional()
        .describe('true: those that were not read yet; false: the others.'),
      conversation_id: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('Of what was asked in this conversation alone.'),
    }),
    replies: { 200: listOf(notificationReply) },
    async handle(app, { actor, query }) {
      const unread = query.unread === undefined ? undefined : query.unread === 'true';
      const filter = { ...query, unread, conversationId: query.conversation_id };
      const found = await listNotifications(app, actor, filter);
      return listReply(found, query, presentNotification);
    },
  }),
  operation({
    method: 'post',
    path: '/api/notifications/:id/read',
    tag: 'Notifications',
    summary: 'Mark a notification as read',
    access: 'ask',
    params: idOf('notification'),
    replies: { 200: notificationReply },
    async handle(app, { actor, params }) {
      const body = presentNotification(await readNotification(app, actor, params.id));
      return { status: 200, body };
    },
  }),
  operation({
    method: 'get',
    path: webhooks,
    tag: 'Administration',
    summary: 'Your organization’s webhooks',
    access: 'administer',
    query: z.strictObject(pagingQuery),
    replies: { 200: listOf(webhookReply) },
    async handle(app, { actor, query }) {
      return listReply(await listWebhooks(app, actor, query), query, presentWebhook);
    },
  }),
  operation({
    method: 'post',
    path: webhooks,
    tag: 'Administration',
    summary: 'Add a webhook; its secret is shown this once',
    access: 'administer',
    body: z.strictObject({ url: address }),
    replies: { 201: webhookWithSecretReply },
    async handle(app, { actor, body }) {
      const webhook = await createWebhook(app, actor, body);
      return {
        status: 201,
        body: { ...presentWebhook(webhook), secret: webhook.secret },
        headers: { Location: `${webhooks}/${webhook.id}` },
      };
    },
  }),
  operation({
    method: 'get',
    path: `${webhooks}/:id`,
    tag: 'Administration',
    summary: 'A webhook',
    access: 'administer',
    params: idOf('webhook'),
    replies: { 200: webhookReply },
    async handle(app, { actor, params }) {
      return { status: 200, body: presentWebhook(await getWebhook(app, actor, params.id)) };
    },
  }),
  operation({
    method: 'put',
    path: `${webhooks}/:id`,
    tag: 'Administration',
    summary: 'Change a webhook',
    access: 'administer',
    params: idOf('webhook'),
    body: z.strictObject({ url: address, disabled: z.boolean() }).partial(),
    replies: { 200: webhookReply },
    async handle(app, { actor, params, body }) {
      const webhook = await updateWebhook(app, actor, params.id, body);
      return { status: 200, body: presentWebhook(webhook) };
    },
  }),
  operation({
    method: 'post',
    path: `${webhooks}/:id/rotate-secret`,
    tag: 'Administration',
    summary: 'Give a webhook another secret; it is shown this once',
    access: 'administer',
    params: idOf('webhook'),
    replies: { 200: webhookWithSecretReply },
    async handle(app, { actor, params }) {
      const webhook = await rotateWebhookSecret(app, actor, params.id);
      return { status: 200, body: { ...presentWebhook(webhook), secret: webhook.secret } };
    },
  }),
  operation({
    method: 'delete',
    path: `${webhooks}/:id`,
    tag: 'Administration',
    summary: 'Remove a webhook',
    access: 'administer',
    params: idOf('webhook'),
    replies: { 204: undefined },
    async handle(app, { actor, params }) {
      await deleteWebhook(app, actor, params.id);
      return { status: 204 };
    },
  }),
  operation({
    method: 'get',
    path: deliveries,
    tag: 'Administration',
    summary: 'What was sent, is being sent and could not be sent, newest first',
    access: 'administer',
    query: z.strictObject({
      ...pagingQuery,
      status: z.enum(deliveryStatuses).optional().describe('dead: given up.'),
      channel: z.enum(deliveryChannels).optional().describe('How it is sent.'),
    }),
    replies: { 200: listOf(deliveryReply) },
    async handle(app, { actor, query }) {
      return listReply(await listDeliveries(app, actor, query), query, presentDelivery);
    },
  }),
  operation({
    method: 'post',
    path: `${deliveries}/:id/retry`,
    tag: 'Administration',
    summary: 'Send a delivery again, now',
    access: 'administer',
    params: idOf('delivery'),
    replies: { 200: deliveryReply },
    refusals: ['conflict'],
    async handle(app, { actor, params }) {
      return { status: 200, body: presentDelivery(await retryDelivery(app, actor, params.id)) };
    },
  }),
];
