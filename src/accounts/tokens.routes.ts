import { z } from 'zod';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, numberOf, numberText, pagingQuery } from '../platform/http/paging.js';
import { resource } from '../platform/http/resource.js';
import {
  apiTokenReply,
  nameText,
  presentApiToken,
  signingKeyReply,
} from './users/accounts.schema.js';
import { getApiToken, listApiTokens, revokeApiToken } from './users/api-tokens.js';
import { maxTokenDays, mintToken } from './users/mint-token.js';
import { listSigningKeys, presentKey, rotateSigningKey } from './tokens/signing-keys.js';

const keys = '/api/admin/signing-keys';

export const tokenOperations: Operation[] = [
  ...resource({
    base: '/api/admin/tokens',
    tag: 'Administration',
    access: 'administer',
    params: numberOf('token'),
    reply: apiTokenReply,
    present: presentApiToken,
    list: {
      summary: 'The long-lived tokens of your organization’s users, newest first',
      query: { user_id: numberText.optional().describe('Only tokens of this user.') },
      run: listApiTokens,
    },
    create: {
      summary: 'Mint a long-lived token with the rights of a user; it is shown this once',
      body: z.strictObject({
        user_id: z.int().min(1).describe('The user whose rights it has.'),
        name: nameText.describe('The purpose, e.g. the job that uses it.'),
        days: z
          .int()
          .min(1)
          .max(maxTokenDays)
          .nullish()
          .describe('How long it lives; else until it is revoked.'),
      }),
      refusals: ['not_found'],
      run: (app, actor, body) => mintToken(app, actor, { ...body, days: body.days ?? undefined }),
      reply: apiTokenReply.extend({ token: z.string().describe('Shown this once.') }),
      present: ({ record, token }) => ({ ...presentApiToken(record), token }),
    },
    show: { summary: 'A long-lived token on record', run: getApiToken },
    delete: { summary: 'Revoke a long-lived token', run: revokeApiToken },
  }),
  operation({
    method: 'get',
    path: keys,
    tag: 'Administration',
    summary: 'The keys that sign tokens, newest first; the newest one signs',
    access: 'administer',
    query: z.strictObject(pagingQuery),
    replies: { 200: listOf(signingKeyReply) },
    async handle(app, { actor, query }) {
      return listReply(await listSigningKeys(app, actor, query), query, presentKey);
    },
  }),
  operation({
    method: 'post',
    path: keys,
    tag: 'Administration',
    summary: 'Create a new signing key; older keys continue to verify tokens',
    access: 'administer',
    replies: { 201: signingKeyReply },
    async handle(app, { actor }) {
      const { key } = await rotateSigningKey(app, actor, { retireOld: false });
      return { body: presentKey(key), headers: { Location: keys } };
    },
  }),
];
