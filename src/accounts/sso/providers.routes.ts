import { z } from 'zod';
import { operation, type Operation } from '../../platform/http/operation.js';
import { numberOf } from '../../platform/http/paging.js';
import { resource } from '../../platform/http/resource.js';
import { examineProvider } from './examine-provider.js';
import {
  createProvider,
  deleteProvider,
  getPasswordSignIn,
  getProvider,
  listProviders,
  setPasswordSignIn,
  updateProvider,
} from './manage-providers.js';
import {
  newProviderBody,
  presentFindings,
  presentProvider,
  providerChangeBody,
  providerFindingsReply,
  providerReply,
} from './providers.schema.js';

const base = '/api/admin/identity-providers';
const params = numberOf('provider');
const rules = {
  path: '/api/admin/sign-in-rules',
  tag: 'Administration',
  access: 'administer',
} as const;
const rulesBody = z.strictObject({
  password_sign_in: z.boolean().describe('Whether people may sign in by password.'),
});

export const providerOperations: Operation[] = [
  ...resource({
    base,
    tag: 'Administration',
    access: 'administer',
    params,
    reply: providerReply,
    present: presentProvider,
    list: {
      summary: 'Your organization’s identity providers, oldest first',
      run: listProviders,
    },
    create: {
      summary: 'Add an identity provider (OpenID Connect) that people sign in by',
      body: newProviderBody,
      refusals: ['conflict'],
      run: createProvider,
    },
    show: { summary: 'An identity provider', run: getProvider },
    update: {
      summary: 'Change an identity provider; disabling it ends the sessions that it opened',
      body: providerChangeBody,
      refusals: ['conflict'],
      run: updateProvider,
    },
    delete: {
      summary: 'Remove an identity provider, and end the sessions that it opened; accounts stay',
      refusals: ['conflict'],
      run: deleteProvider,
    },
  }),
  operation({
    method: 'post',
    path: `${base}/:id/check`,
    tag: 'Administration',
    summary: 'Check an identity provider’s metadata and report problems',
    access: 'administer',
    params,
    replies: { 200: providerFindingsReply },
    handle: async (app, { actor, params }) => ({
      body: presentFindings(await examineProvider(app, actor, params.id)),
    }),
  }),
  operation({
    method: 'get',
    ...rules,
    summary: 'How your organization’s people may sign in',
    replies: { 200: rulesBody },
    handle: async (app, { actor }) => ({
      body: { password_sign_in: await getPasswordSignIn(app, actor) },
    }),
  }),
  operation({
    method: 'put',
    ...rules,
    summary: 'Switch signing in by password on or off',
    body: rulesBody,
    replies: { 200: rulesBody },
    refusals: ['conflict'],
    handle: async (app, { actor, body }) => ({
      body: { password_sign_in: await setPasswordSignIn(app, actor, body.passwordSignIn) },
    }),
  }),
];
