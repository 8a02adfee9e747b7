import { z } from 'zod';
import { listDeliveries, retryDelivery } from '../../notifications/manage-webhooks.js';
import { deliveryChannels, deliveryStatuses } from '../../notifications/notification.js';
import { choiceOf } from '../layout/filters.js';
import { pageNumber, rowsPerPage } from '../layout/pager.js';
import { action, page } from '../page.js';
import { Deliveries } from './deliveries-view.js';

const id = z.coerce.number().int().min(1).max(999_999_999_999_999);

export const deliveriesPage = page({
  path: '/deliveries',
  access: 'administer',
  query: z.object({
    status: choiceOf(deliveryStatuses),
    channel: choiceOf(deliveryChannels),
    page: pageNumber,
  }),
  async show(app, { actor, query, say }) {
    const { page, status, channel } = query;
    const listed = await listDeliveries(app, actor, {
      page,
      limit: rowsPerPage,
      status: status || undefined,
      channel: channel || undefined,
    });
    return {
      title: say.webhooks.deliveries,
      section: '/webhooks',
      list: { page, total: listed.total },
      body: <Deliveries query={query} listed={listed} />,
    };
  },
  actions: {
    retry: action({
      form: z.object({ id }),
      done: 'deliveryRetried',
      act: (app, { actor, form }) => retryDelivery(app, actor, form.id),
    }),
  },
});
