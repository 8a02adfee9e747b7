import { z } from 'zod';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '../../notifications/manage-webhooks.js';
import { sendTestDelivery } from '../../notifications/send-test-delivery.js';
import { pageNumber, rowsPerPage } from '../layout/pager.js';
import { Secret } from '../layout/secret.js';
import { action, page, type View } from '../page.js';
import type { Texts } from '../texts/en.js';
import { WebhookPage, Webhooks } from './webhooks-view.js';

const params = z.object({ id: z.coerce.number().int().min(1).max(999_999_999_999_999) });
const url = z.string().trim().min(1).max(2000);
const few = { page: 1, limit: 10 };

export const webhookPages = [
  page({
    path: '/webhooks',
    access: 'administer',
    query: z.object({ page: pageNumber }),
    async show(app, { actor, query, say }) {
      const listed = await listWebhooks(app, actor, { page: query.page, limit: rowsPerPage });
      const list = { page: query.page, total: listed.total };
      return {
        title: say.webhooks.title,
        list,
        body: <Webhooks page={query.page} listed={listed} />,
      };
    },
    actions: {
      create: action({
        form: z.object({ url }),
        asksPassword: 'lately',
        async act(app, { actor, form, say }) {
          return secretOf(say, await createWebhook(app, actor, form));
        },
      }),
    },
  }),
  page({
    path: '/webhooks/:id',
    access: 'administer',
    params,
    async show(app, { actor, params: { id } }) {
      const webhook = await getWebhook(app, actor, id);
      const deliveries = await listDeliveries(app, actor, { ...few, webhookId: id });
      const body = <WebhookPage webhook={webhook} deliveries={deliveries} />;
      return { title: webhook.url, section: '/webhooks', body };
    },
    actions: {
      save: action({
        params,
        form: z.object({ url }),
        // Another address gets what the organization is asked.
        asksPassword: 'lately',
        done: 'saved',
        act: (app, { actor, params: { id }, form }) => updateWebhook(app, actor, id, form),
      }),
      disable: action({
        params,
        done: 'webhookDisabled',
        act: (app, { actor, params: { id } }) => updateWebhook(app, actor, id, { disabled: true }),
      }),
      enable: action({
        params,
        done: 'webhookEnabled',
        act: (app, { actor, params: { id } }) => updateWebhook(app, actor, id, { disabled: false }),
      }),
      rotate: action({
        params,
        asksPassword: 'lately',
        async act(app, { actor, params: { id }, say }) {
          return secretOf(say, await rotateWebhookSecret(app, actor, id));
        },
      }),
      test: action({
        params,
        async act(app, { actor, params: { id } }) {
          const tried = await sendTestDelivery(app, actor, id);
          const webhook = await getWebhook(app, actor, id);
          const deliveries = await listDeliveries(app, actor, { ...few, webhookId: id });
          const body = <WebhookPage webhook={webhook} deliveries={deliveries} tried={tried} />;
          return { title: webhook.url, section: '/webhooks', body };
        },
      }),
      delete: action({
        params,
        form: z.object({ sure: z.literal('on') }),
        async act(app, { actor, params: { id } }) {
          await deleteWebhook(app, actor, id);
          return { to: '/webhooks', done: 'deleted' };
        },
      }),
    },
  }),
];

function secretOf(say: Texts, { id, secret }: { id: number; secret: string }): View {
  const { secretTitle: title, secretAbout: about, secret: name } = say.webhooks;
  const back = `/webhooks/${id}`;
  return {
    title,
    section: '/webhooks',
    isSecret: true,
    body: <Secret title={title} about={about} name={name} value={secret} back={back} />,
  };
}
