import { z } from 'zod';
import { visibilities } from '../platform/actor.js';
import type { Operation } from '../platform/http/operation.js';
import { resource } from '../platform/http/resource.js';
import { createApp } from './create-app.js';
import { getApp, listAppsPage, updateApp } from './manage-apps.js';
import {
  getOrganization,
  listOwnOrganizations,
  updateOrganization,
} from './manage-organization.js';
import {
  appReply,
  idParams,
  nameText,
  organizationReply,
  presentApp,
  presentOrganization,
} from './tenancy.schema.js';

const visibility = z
  .enum(visibilities)
  .nullable()
  .describe('The visibility of entries that are given none; null means public.');
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
      summary: 'Rename your organization',
      body: z.strictObject({ name: nameText.optional() }),
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
  }),
];
