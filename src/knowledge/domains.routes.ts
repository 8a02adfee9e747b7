import { z } from 'zod';
import { resource } from '../platform/http/resource.js';
import { getDomain, listDomainsPage } from '../tenancy/read-domains.js';
import { appFilter, domainReply, idParams, presentDomain } from '../tenancy/tenancy.schema.js';
import { moveDomain, releaseDomain } from './change-domain.js';
import { claimDomain } from './claim-domain.js';

const appId = z.int().min(1);

export const domainOperations = resource({
  base: '/api/admin/domains',
  tag: 'Administration',
  access: 'administer',
  params: idParams,
  reply: domainReply,
  present: presentDomain,
  list: {
    summary: 'The domains that your organization has registered',
    query: appFilter,
    refusals: ['not_found'],
    run: listDomainsPage,
  },
  create: {
    summary: 'Register a domain for an app, which then has the entries that waited for it',
    body: z.strictObject({
      host: z
        .string()
        .min(1)
        .max(255)
        .describe(
          'docs.example.com. Wildcards (*.example.com), localhost and names without a dot are registered by the operator: assistant domains create.',
        ),
      app_id: appId,
    }),
    refusals: ['conflict', 'forbidden', 'not_found'],
    run: async (app, actor, body) => (await claimDomain(app, actor, body)).domain,
  },
  show: { summary: 'A domain', run: getDomain },
  update: {
    summary: 'Move a domain to another app of your organization, with its entries',
    body: z.strictObject({ app_id: appId.optional() }),
    run: moveDomain,
  },
  delete: {
    summary: 'Give a domain up: its entries wait, unseen, until it is registered again',
    run: releaseDomain,
  },
});
