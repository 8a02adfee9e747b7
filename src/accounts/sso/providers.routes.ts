import { z } from 'zod';
import { operation, type Operation } from '../../platform/http/operation.js';
import { listOf, listReply, pagingQuery } from '../../platform/http/paging.js';
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
  readNewProvider,
  readProviderChange,
} from './providers.schema.js';

const base = '/api/admin/identity-providers';
const rules = '/api/admin/sign-in-rules';
const rulesBody = z.strictObject({
  password_sign_in: z.boolean().describe('Whether people may sign in by password.'),
});
const params = z.object({
  id: z.coerce.number().int().min(1).describe('The number of the provider.'),
});

export const providerOperations: Operation[] = [
  operation({
    method: 'get',
    path: base,
    tag: 'Administration',
    summary: 'Your organization’s identity providers, oldest first',
    access: 'administer',
    query: z.strictObject(pagingQuery),
    replies: { 200: listOf(providerReply) },
    async handle(app, { actor, query }) {
      return listReply(await listProviders(app, actor, query), query, presentProvider);
    },
  }),
  operation({
    method: 'post',
    path: base,
    tag: 'Administration',
    summary: 'Add an identity provider (OpenID Connect) that people sign in by',
    access: 'administer',
    body: newProviderBody,
    replies: { 201: providerReply },
    refusals: ['conflict'],
    async handle(app, { actor, body }) {
      const made = await createProvider(app, actor, readNewProvider(body));
      const headers = { Location: `${base}/${made.id}` };
      return { status: 201, body: presentProvider(made), headers };
    },
  }),
  operation({
    method: 'get',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'An identity provider',
    access: 'administer',
    params,
    replies: { 200: providerReply },
    refusals: ['not_found'],
    async handle(app, { actor, params }) {
      return { status: 200, body: presentProvider(await getProvider(app, actor, params.id)) };
    },
  }),
  operation({
    method: 'put',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'Change an identity provider; disabling it ends the sessions that it opened',
    access: 'administer',
    params,
    body: providerChangeBody,
    replies: { 200: providerReply },
    refusals: ['not_found', 'conflict'],
    async handle(app, { actor, params, body }) {
      const changed = await updateProvider(app, actor, params.id, readProviderChange(body));
      return { status: 200, body: presentProvider(changed) };
    },
  }),
  operation({
    method: 'delete',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'Remove an identity provider, and end the sessions that it opened; accounts stay',
    access: 'administer',
    params,
    replies: { 204: undefined },
    refusals: ['not_found', 'conflict'],
    async handle(app, { actor, params }) {
      await deleteProvider(app, actor, params.id);
      return { status: 204 };
    },
  }),
  operation({
    method: 'post',
    path: `${base}/:id/check`,
    tag: 'Administration',
    summary: 'Ask an identity provider for its description, and say what is wrong',
    access: 'administer',
    params,
    replies: { 200: providerFindingsReply },
    refusals: ['not_found'],
    async handle(app, { actor, params }) {
      return { status: 200, body: presentFindings(await examineProvider(app, actor, params.id)) };
    },
  }),
  operation({
    method: 'get',
    path: rules,
    tag: 'Administration',
    summary: 'How your organization’s people may sign in',
    access: 'administer',
    replies: { 200: rulesBody },
    async handle(app, { actor }) {
      return { status: 200, body: { password_sign_in: await getPasswordSignIn(app, actor) } };
    },
  }),
  operation({
    method: 'put',
    path: rules,
    tag: 'Administration',
    summary: 'Switch signing in by password on or off',
    access: 'administer',
    body: rulesBody,
    replies: { 200: rulesBody },
    refusals: ['conflict'],
    async handle(app, { actor, body }) {
      const on = await setPasswordSignIn(app, actor, body.password_sign_in);
      return { status: 200, body: { password_sign_in: on } };
    },
  }),
];
