import { z } from 'zod';
import { widgetKeyKinds } from '../platform/actor.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, pagingQuery } from '../platform/http/paging.js';
import { appFilter, idParams, nameText } from '../tenancy/tenancy.schema.js';
import { presentKey, widgetKeyReply, widgetKeyWithSecretReply } from './federation.schema.js';
import {
  createWidgetKey,
  getWidgetKey,
  listWidgetKeys,
  renameWidgetKey,
  revokeWidgetKey,
  rotateSecret,
  type KeyWithSecret,
} from './manage-widget-keys.js';

const base = '/api/admin/widget-keys';
const day = 86_400;

export const widgetKeyOperations: Operation[] = [
  operation({
    method: 'get',
    path: base,
    tag: 'Administration',
    summary: 'The widget keys of your organization’s apps, revoked ones included',
    access: 'administer',
    query: z.strictObject({ ...pagingQuery, ...appFilter }),
    replies: { 200: listOf(widgetKeyReply) },
    refusals: ['not_found'],
    async handle(app, { actor, query }) {
      const { app_id: appId, ...page } = query;
      return listReply(await listWidgetKeys(app, actor, { ...page, appId }), query, presentKey);
    },
  }),
  operation({
    method: 'post',
    path: base,
    tag: 'Administration',
    summary: 'Make a widget key; its secret is shown this once',
    access: 'administer',
    body: z.strictObject({ app_id: z.int().min(1), kind: z.enum(widgetKeyKinds), name: nameText }),
    replies: { 201: widgetKeyWithSecretReply },
    refusals: ['not_found'],
    async handle(app, { actor, body }) {
      const { app_id: appId, ...fields } = body;
      const made = await createWidgetKey(app, actor, { appId, ...fields });
      const headers = { Location: `${base}/${made.key.id}` };
      return { status: 201, body: presentWithSecret(made), headers };
    },
  }),
  operation({
    method: 'get',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'A widget key',
    access: 'administer',
    params: idParams,
    replies: { 200: widgetKeyReply },
    async handle(app, { actor, params }) {
      return { status: 200, body: presentKey(await getWidgetKey(app, actor, params.id)) };
    },
  }),
  operation({
    method: 'put',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'Rename a widget key',
    access: 'administer',
    params: idParams,
    body: z.strictObject({ name: nameText.optional() }),
    replies: { 200: widgetKeyReply },
    async handle(app, { actor, params, body }) {
      return { status: 200, body: presentKey(await renameWidgetKey(app, actor, params.id, body)) };
    },
  }),
  operation({
    method: 'delete',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'Revoke a widget key, with its secrets and user tokens, at once and for good',
    access: 'administer',
    params: idParams,
    replies: { 204: undefined },
    async handle(app, { actor, params }) {
      await revokeWidgetKey(app, actor, params.id);
      return { status: 204 };
    },
  }),
  operation({
    method: 'post',
    path: `${base}/:id/rotate-secret`,
    tag: 'Administration',
    summary:
      'Give a widget key another secret, shown this once; the one before holds on for a while',
    access: 'administer',
    params: idParams,
    body: z.strictObject({
      overlap_seconds: z
        .int()
        .min(0)
        .max(30 * day)
        .default(day),
    }),
    replies: { 200: widgetKeyWithSecretReply },
    refusals: ['conflict'],
    async handle(app, { actor, params, body }) {
      const overlapSeconds = body.overlap_seconds;
      const rotated = await rotateSecret(app, actor, params.id, { overlapSeconds });
      return { status: 200, body: presentWithSecret(rotated) };
    },
  }),
];

function presentWithSecret({
  key,
  secret,
}: KeyWithSecret): z.output<typeof widgetKeyWithSecretReply> {
  return { ...presentKey(key), secret };
}
