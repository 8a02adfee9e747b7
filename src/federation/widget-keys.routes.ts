import { z } from 'zod';
import { widgetKeyKinds } from '../platform/actor.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { resource } from '../platform/http/resource.js';
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
const presentWithSecret = ({ key, secret }: KeyWithSecret) => ({ ...presentKey(key), secret });

export const widgetKeyOperations: Operation[] = [
  ...resource({
    base,
    tag: 'Administration',
    access: 'administer',
    params: idParams,
    reply: widgetKeyReply,
    present: presentKey,
    list: {
      summary: 'The widget keys of your organization’s apps, revoked ones included',
      query: appFilter,
      refusals: ['not_found'],
      run: listWidgetKeys,
    },
    create: {
      summary: 'Make a widget key; its secret is shown this once',
      body: z.strictObject({
        app_id: z.int().min(1),
        kind: z.enum(widgetKeyKinds),
        name: nameText,
      }),
      refusals: ['not_found'],
      run: createWidgetKey,
      reply: widgetKeyWithSecretReply,
      present: presentWithSecret,
    },
    show: { summary: 'A widget key', run: getWidgetKey },
    update: {
      summary: 'Rename a widget key',
      body: z.strictObject({ name: nameText.optional() }),
      run: renameWidgetKey,
    },
    delete: {
      summary: 'Revoke a widget key, with its secrets and user tokens, at once and for good',
      run: revokeWidgetKey,
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
    handle: async (app, { actor, params, body }) => ({
      body: presentWithSecret(await rotateSecret(app, actor, params.id, body)),
    }),
  }),
];
