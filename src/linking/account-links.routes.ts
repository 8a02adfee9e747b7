import { z } from 'zod';
import { operation, type Operation } from '../platform/http/operation.js';
import { resource } from '../platform/http/resource.js';
import { listReply, pagingQuery } from '../platform/http/paging.js';
import { appFilter, idParams } from '../tenancy/tenancy.schema.js';
import {
  accountLinkList,
  accountLinkReply,
  presentAccountLink,
} from '../federation/federation.schema.js';
import { hostSession } from '../federation/user-tokens.js';
import { endAccountLink, endAccountLinks, endLinksOfUser } from '../federation/end-links.js';
import { linkAccount } from './link-account.js';
import { getAccountLink, listAccountLinks } from '../federation/read-links.js';

const base = '/api/account-links';
const keyText = z.string().min(1).max(100);
const originText = z.string().min(1).max(300);

export const accountLinkOperations: Operation[] = [
  operation({
    method: 'get',
    path: base,
    tag: 'Account',
    summary: 'The sites whose people you are: your account’s links, the oldest first',
    access: 'ask',
    query: z.strictObject({
      ...pagingQuery,
      widget_key: keyText.optional().describe('Only the link to this key’s app.'),
      origin: originText
        .optional()
        .describe('With the key: whether pages of this origin may ask for such a link.'),
    }),
    replies: { 200: accountLinkList },
    refusals: ['not_found'],
    async handle(app, { actor, query }) {
      const listed = await listAccountLinks(app, actor, query);
      const { body } = listReply(listed, query, presentAccountLink);
      // Both fields are omitted unless they were requested.
      return { body: { ...body, app: listed.app, linkable: listed.linkable } };
    },
  }),
  operation({
    method: 'post',
    path: base,
    tag: 'Account',
    summary:
      'Link your account to what the host of a site calls you; a link is never pointed elsewhere',
    access: 'ask',
    body: z.strictObject({
      widgetKey: keyText.describe('The key that the page declares.'),
      token: z
        .string()
        .min(1)
        .max(4096)
        .describe('The user token that the host’s token endpoint answered for you.'),
      origin: originText.describe(
        'Of the page on which it was confirmed, e.g. https://docs.example.com: refused where it is not registered for the key’s app.',
      ),
      session: hostSession
        .optional()
        .describe('That of the host’s sign-in; needed where the token was issued for one.'),
    }),
    // 200: it was already linked to this account and is unchanged.
    replies: { 200: accountLinkReply, 201: accountLinkReply },
    refusals: ['not_found', 'unprocessable', 'already_linked'],
    async handle(app, { actor, body }) {
      const { link, made } = await linkAccount(app, actor, body);
      const reply = presentAccountLink(link);
      if (!made) return { status: 200, body: reply };
      return { status: 201, body: reply, headers: { Location: `${base}/${link.id}` } };
    },
  }),
  ...resource({
    base,
    tag: 'Account',
    access: 'ask',
    params: idParams,
    reply: accountLinkReply,
    present: presentAccountLink,
    show: { summary: 'A link of your account', run: getAccountLink },
    delete: { summary: 'End a link of your account', run: endAccountLink },
  }),
  operation({
    method: 'delete',
    path: base,
    tag: 'Account',
    summary: 'End all links of your account, or that of one app',
    access: 'ask',
    query: z.strictObject(appFilter),
    replies: { 204: undefined },
    refusals: ['not_found'],
    async handle(app, { actor, query }) {
      await endAccountLinks(app, actor, query);
    },
  }),
  operation({
    method: 'delete',
    path: '/api/admin/users/:id/account-links',
    tag: 'Administration',
    summary:
      'End all account links of a user, or that in one app; others can link their sites then',
    access: 'administer',
    params: idParams,
    query: z.strictObject(appFilter),
    replies: { 204: undefined },
    async handle(app, { actor, params, query }) {
      await endLinksOfUser(app, actor, { userId: params.id, ...query });
    },
  }),
];
