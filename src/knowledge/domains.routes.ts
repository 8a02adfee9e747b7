import { z } from 'zod';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, pagingQuery } from '../platform/http/paging.js';
import { getDomain, listDomainsPage } from '../tenancy/read-domains.js';
import { appFilter, domainReply, idParams, presentDomain } from '../tenancy/tenancy.schema.js';
import { moveDomain, releaseDomain } from './change-domain.js';
import { claimDomain } from './claim-domain.js';

const base = '/api/admin/domains';
const appId = z.int().min(1);

export const domainOperations: Operation[] = [
  operation({
    method: 'get',
    path: base,
    tag: 'Administration',
    summary: 'The domains that your organization has registered',
    access: 'administer',
    query: z.strictObject({ ...pagingQuery, ...appFilter }),
    replies: { 200: listOf(domainReply) },
    refusals: ['not_found'],
    async handle(app, { actor, query }) {
      const { app_id: ofApp, ...page } = query;
      const paged = await listDomainsPage(app, actor, { ...page, appId: ofApp });
      return listReply(paged, query, presentDomain);
    },
  }),
  operation({
    method: 'post',
    path: base,
    tag: 'Administration',
    summary: 'Register a domain for an app, which then has the entries that waited for it',
    access: 'administer',
    body: z.strictObject({
      host: z
        .string()
        .min(1)
        .max(255)
        .describe(
          'docs.example.com. Wildcards (*.example.com), localhost and names without a dot are registered by the operator: assistant domains add.',
        ),
      app_id: appId,
    }),
    replies: { 201: domainReply },
    refusals: ['conflict', 'forbidden', 'not_found'],
    async handle(app, { actor, body }) {
      const { domain } = await claimDomain(app, actor, { host: body.host, appId: body.app_id });
      const headers = { Location: `${base}/${domain.id}` };
      return { status: 201, body: presentDomain(domain), headers };
    },
  }),
  operation({
    method: 'get',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'A domain',
    access: 'administer',
    params: idParams,
    replies: { 200: domainReply },
    async handle(app, { actor, params }) {
      return { status: 200, body: presentDomain(await getDomain(app, actor, params.id)) };
    },
  }),
  operation({
    method: 'put',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'Move a domain to another app of your organization, with its entries',
    access: 'administer',
    params: idParams,
    body: z.strictObject({ app_id: appId.optional() }),
    replies: { 200: domainReply },
    async handle(app, { actor, params, body }) {
      const domain = await moveDomain(app, actor, params.id, { appId: body.app_id });
      return { status: 200, body: presentDomain(domain) };
    },
  }),
  operation({
    method: 'delete',
    path: `${base}/:id`,
    tag: 'Administration',
    summary: 'Give a domain up: its entries wait, unseen, until it is registered again',
    access: 'administer',
    params: idParams,
    replies: { 204: undefined },
    async handle(app, { actor, params }) {
      await releaseDomain(app, actor, params.id);
      return { status: 204 };
    },
  }),
];
