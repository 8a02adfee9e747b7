import { z } from 'zod';
import { resource } from '../platform/http/resource.js';
import { createView, getView, listViewsPage, updateView } from '../tenancy/manage-views.js';
import {
  appFilter,
  idParams,
  nameText,
  presentView,
  viewReply,
} from '../tenancy/tenancy.schema.js';
import { deleteView } from './delete-view.js';

const path = z
  .string()
  .min(1)
  .max(1000)
  .describe('The canonical path that pages of the view publish, e.g. /invoices/:id.');

export const viewOperations = resource({
  base: '/api/admin/views',
  tag: 'Administration',
  access: 'administer',
  params: idParams,
  reply: viewReply,
  present: presentView,
  list: {
    summary: 'The views of your organization’s apps',
    query: appFilter,
    refusals: ['not_found'],
    run: listViewsPage,
  },
  create: {
    summary: 'Add a view to an app',
    body: z.strictObject({ app_id: z.int().min(1), path, title: nameText }),
    refusals: ['conflict', 'not_found'],
    run: createView,
  },
  show: { summary: 'A view', run: getView },
  update: {
    summary: 'Change the given fields of a view',
    body: z.strictObject({ path: path.optional(), title: nameText.optional() }),
    refusals: ['conflict'],
    run: updateView,
  },
  delete: {
    summary: 'Delete a view that no entry is bound to',
    refusals: ['conflict'],
    run: deleteView,
  },
});
