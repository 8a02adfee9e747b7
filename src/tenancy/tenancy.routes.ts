import { z } from 'zod';
import { visibilities } from '../platform/actor.js';
import type { Operation } from '../platform/http/operation.js';
import { resource } from '../platform/http/resource.js';
import { createApp, deleteApp, getApp, listAppsPage, updateApp } from './manage-apps.js';
import {
  getOrganization,
  listOwnOrganizations,
  updateOrganization,
} from './manage-organization.js';
import { createView, deleteView, getView, listViewsPage, updateView } from './manage-views.js';
import {
  claimDomain,
  getDomain,
  listDomainsPage,
  moveDomain,
  releaseDomain,
} from './manage-domains.js';
import {
  appFilter,
  appReply,
  domainReply,
  idParams,
  nameText,
  organizationReply,
  presentApp,
  presentDomain,
  presentOrganization,
  presentView,
  viewReply,
} from './tenancy.schema.js';

const visibility = z
  .enum(visibilities)
  .nullable()
  .describe('The visibility of entries that are given none; null means public.');
const appId = z.int().min(1);
const path = z
  .string()
  .min(1)
  .max(1000)
  .describe('The canonical path that pages of the view publish, e.g. /invoices/:id.');
const newApp = z.strictObject({
  name: nameText,
  default_knowledge_visibility: visibility.optional(),
});

export const tenancyOperations: Operation[] = [
  ...resource({
    base: '/api/admin/organizations',
    tag: 'Administration',
    access: 'administer',
    params: idParams,
    reply: organizationReply,
    present: presentOrganization,
    list: {
      summary: 'The organizations that you administer: your own',
      run: listOwnOrganizations,
    },
    show: { summary: 'Your organization', run: getOrganization },
    update: {
      summary: 'Change the name or the time zone of your organization',
      body: z.strictObject({
        name: nameText.optional(),
        time_zone: z
          .string()
          .max(60)
          .nullable()
          .optional()
          .describe('A name such as Europe/Madrid. Null: the server’s zone.'),
      }),
      run: updateOrganization,
    },
  }),
  ...resource({
    base: '/api/admin/apps',
    tag: 'Administration',
    access: 'administer',
    params: idParams,
    reply: appReply,
    present: presentApp,
    list: { summary: 'The apps of your organization', run: listAppsPage },
    create: { summary: 'Add an app', body: newApp, refusals: ['conflict'], run: createApp },
    show: { summary: 'An app', run: getApp },
    update: {
      summary: 'Change the given fields of an app; entries keep the visibility that they have',
      body: newApp.extend({ name: nameText.optional() }),
      refusals: ['conflict'],
      run: updateApp,
    },
    delete: {
      summary: 'Delete an app that has no entries, batches and domains any more',
      refusals: ['conflict'],
      run: deleteApp,
    },
  }),
  ...resource({
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
  }),
  ...resource({
    base: '/api/admin/views',
    tag: 'Administration',
    access: 'administer',
    params: idParams,
    reply: viewReply,
    present: presentView,
    list: {
      summary: 'The views of your organization’s apps',
      query: appFilter,
      refusals: ['not_found'],
      run: listViewsPage,
    },
    create: {
      summary: 'Add a view to an app',
      body: z.strictObject({ app_id: appId, path, title: nameText }),
      refusals: ['conflict', 'not_found'],
      run: createView,
    },
    show: { summary: 'A view', run: getView },
    update: {
      summary: 'Change the given fields of a view',
      body: z.strictObject({ path: path.optional(), title: nameText.optional() }),
      refusals: ['conflict'],
      run: updateView,
    },
    delete: {
      summary: 'Delete a view that no entry is bound to',
      refusals: ['conflict'],
      run: deleteView,
    },
  }),
];
