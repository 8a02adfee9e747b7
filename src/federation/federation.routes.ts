import { z } from 'zod';
import { widgetKeyKinds } from '../platform/actor.js';
import { emailText } from '../platform/validate.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { resource } from '../platform/http/resource.js';
import { appFilter, idParams, nameText } from '../tenancy/tenancy.schema.js';
import { presentKey, widgetKeyReply, widgetKeyWithSecretReply } from './federation.schema.js';
import { issueUserToken } from './issue-user-token.js';
import {
  createWidgetKey,
  getWidgetKey,
  type KeyWithSecret,
  listWidgetKeys,
  renameWidgetKey,
  revokeWidgetKey,
  rotateSecret,
} from './manage-widget-keys.js';
import { hostSession } from './user-tokens.js';

const oneLine = /^[^\p{Cc}\p{Cs}]*$/u;
const sentence = 'must be one line of text, without control characters';

export const widgetTokenOperations: Operation[] = [
  operation({
    method: 'post',
    path: '/widget/token',
    tag: 'Widget',
    summary: 'Issue a user token for a person whom your site has signed in; from your backend only',
    access: 'host_backend',
    body: z.strictObject({
      externalId: z
        .string()
        .min(1)
        .max(255)
        .regex(oneLine, sentence)
        .describe('Your own stable id of the person.'),
      email: emailText.nullable().optional().describe('Omitted: unchanged. Null: deleted.'),
      displayName: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .regex(oneLine, sentence)
        .nullable()
        .optional()
        .describe('As email.'),
      session: hostSession
        .optional()
        .describe(
          'Your id for this sign-in of the person. The token links an account only together with it.',
        ),
      expiresIn: z
        .int()
        .min(60)
        .max(86_400)
        .optional()
        .describe('Seconds; one hour when omitted, unless the installation is set otherwise.'),
    }),
    replies: {
      200: z.object({
        token: z.string().describe('For the widget: it speaks for this person.'),
        expiresIn: z.number().describe('The token’s lifetime in seconds.'),
      }),
    },
    // For browser requests, which send an Origin.
    refusals: ['forbidden'],
    handle: async (app, { actor, body }) => ({ body: await issueUserToken(app, actor, body) }),
  }),
];

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
      'Rotate a widget key’s secret, shown only once; the previous one stays valid for a while',
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
    showsSecret: true,
    refusals: ['conflict'],
    handle: async (app, { actor, params, body }) => ({
      body: presentWithSecret(await rotateSecret(app, actor, params.id, body)),
    }),
  }),
];
