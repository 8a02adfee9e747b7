import { z } from 'zod';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, pagingQuery } from '../platform/http/paging.js';
import { createView, getView, listViewsPage, updateView } from '../tenancy/manage-views.js';
import {
  appFilter,
  idParams,
  nameText,
  presentView,
  viewReply,
} from '../tenancy/tenancy.schema.js';
import { deleteView } from './delete-view.js';

const base = '/api/admin/views';
const path = z
  .string()
  .min(1)
  .max(1000)
  .describe('The canonical path that pages of the view publish, e.g. /invoices/:id.');

export const viewOperations: Operation[] = [
  operation({
    method: 'get',
    path: base,
    tag: 'Administration',
    summary: 'The views of your organization’s apps',
    access: 'administer',
    query: z.strictObject({ ...pagingQuery, ...appFilter }),
    replies: { 200: listOf(viewReply) },
    refusals: ['not_found'],
    async handle(app, { actor, query }) {
      const { app_id: appId, ...page } = query;
      return listReply(await listViewsPage(app, actor, { ...page, appId }), query, presentView);
    },
  }),
  operation({
    method: 'post',
    path: base,
    tag: 'Administration',
    summary: 'Add a view to an app',
    access: 'administer',
    body: z.strictObject({ app_id: z.int().min(1), path, title: nameText }),
    replies: { 201: viewReply },
    refusals: ['conflict', 'not_found'],
    async handle(app, { actor, body }) {
      const { app_id: appId, ...fields } = body;
      const view = await createView(app, actor, { appId, ...fields });
      const headers = { Location: `${base}/${view.id}` };
      return { status: 201, body: presentView(view), headers };
    },
  }),
  operation({
    method: 'get',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'A view',
    access: 'administer',
    params: idParams,
    replies: { 200: viewReply },
    async handle(app, { actor, params }) {
      return { status: 200, body: presentView(await getView(app, actor, params.id)) };
    },
  }),
  operation({
    method: 'put',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'Change the given fields of a view',
    access: 'administer',
    params: idParams,
    body: z.strictObject({ path: path.optional(), title: nameText.optional() }),
    replies: { 200: viewReply },
    refusals: ['conflict'],
    async handle(app, { actor, params, body }) {
      return { status: 200, body: presentView(await updateView(app, actor, params.id, body)) };
    },
  }),
  operation({
    method: 'delete',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'Delete a view that no entry is bound to',
    access: 'administer',
    params: idParams,
    replies: { 204: undefined },
    refusals: ['conflict'],
    async handle(app, { actor, params }) {
      await deleteView(app, actor, params.id);
      return { status: 204 };
    },
  }),
];
