import { z } from 'zod';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, pagingQuery } from '../platform/http/paging.js';
import { apiTokenReply, nameText, presentApiToken, signingKeyReply } from './accounts.schema.js';
import { getApiToken, listApiTokens, revokeApiToken } from './api-tokens.js';
import { maxTokenDays, mintToken } from './mint-token.js';
import { listSigningKeys, presentKey, rotateSigningKey } from './signing-keys.js';

const base = '/api/admin/tokens';
const params = z.object({
  id: z.coerce.number().int().min(1).describe('The number of the token.'),
});
const keys = '/api/admin/signing-keys';

export const tokenOperations: Operation[] = [
  operation({
    method: 'get',
    path: base,
    tag: 'Administration',
    summary: 'The long-lived tokens of your organization’s users, newest first',
    access: 'administer',
    query: z.strictObject({
      ...pagingQuery,
      user_id: z.coerce.number().int().min(1).optional().describe('Tokens of this user alone.'),
    }),
    replies: { 200: listOf(apiTokenReply) },
    async handle(app, { actor, query }) {
      const paged = await listApiTokens(app, actor, { ...query, userId: query.user_id });
      return listReply(paged, query, presentApiToken);
    },
  }),
  operation({
    method: 'post',
    path: base,
    tag: 'Administration',
    summary: 'Mint a long-lived token with the rights of a user; it is shown this once',
    access: 'administer',
    body: z.strictObject({
      user_id: z.int().min(1).describe('Whose rights it has.'),
      name: nameText.describe('What it is for, e.g. the job that uses it.'),
      days: z
        .int()
        .min(1)
        .max(maxTokenDays)
        .nullish()
        .describe('How long it lives; else until it is revoked.'),
    }),
    replies: { 201: apiTokenReply.extend({ token: z.string().describe('Shown this once.') }) },
    refusals: ['not_found'],
    async handle(app, { actor, body }) {
      const { user_id: userId, name, days } = body;
      const minted = await mintToken(app, actor, { userId, name, days: days ?? undefined });
      return {
        status: 201,
        body: { ...presentApiToken(minted.record), token: minted.token },
        headers: { Location: `${base}/${minted.record.id}` },
      };
    },
  }),
  operation({
    method: 'get',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'A long-lived token on record',
    access: 'administer',
    params,
    replies: { 200: apiTokenReply },
    refusals: ['not_found'],
    async handle(app, { actor, params }) {
      return { status: 200, body: presentApiToken(await getApiToken(app, actor, params.id)) };
    },
  }),
  operation({
    method: 'delete',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'Revoke a long-lived token',
    access: 'administer',
    params,
    replies: { 204: undefined },
    refusals: ['not_found'],
    async handle(app, { actor, params }) {
      await revokeApiToken(app, actor, params.id);
      return { status: 204 };
    },
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
    summary: 'Make a new key, which signs from now on; older ones go on verifying',
    access: 'administer',
    replies: { 201: signingKeyReply },
    async handle(app, { actor }) {
      const { key } = await rotateSigningKey(app, actor, { retireOld: false });
      return { status: 201, body: presentKey(key), headers: { Location: keys } };
    },
  }),
];
