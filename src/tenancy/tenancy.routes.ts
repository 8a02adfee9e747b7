import { z } from 'zod';
import { visibilities } from '../platform/actor.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, pagingQuery } from '../platform/http/paging.js';
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

const organizations = '/api/admin/organizations';
const apps = '/api/admin/apps';

const visibility = z
  .enum(visibilities)
  .nullable()
  .describe('The visibility of entries that are given none; null means public.');

export const tenancyOperations: Operation[] = [
  operation({
    method: 'get',
    path: organizations,
    tag: 'Administration',
    summary: 'The organizations that you administer: your own',
    access: 'administer',
    query: z.strictObject(pagingQuery),
    replies: { 200: listOf(organizationReply) },
    async handle(app, { actor, query }) {
      return listReply(await listOwnOrganizations(app, actor, query), query, presentOrganization);
    },
  }),
  operation({
    method: 'get',
    path: `${organizations}/:id`,
    tag: 'Administration',
    summary: 'Your organization',
    access: 'administer',
    params: idParams,
    replies: { 200: organizationReply },
    async handle(app, { actor, params }) {
      return {
        status: 200,
        body: presentOrganization(await getOrganization(app, actor, params.id)),
      };
    },
  }),
  operation({
    method: 'put',
    path: `${organizations}/:id`,
    tag: 'Administration',
    summary: 'Rename your organization',
    access: 'administer',
    params: idParams,
    body: z.strictObject({ name: nameText.optional() }),
    replies: { 200: organizationReply },
    async handle(app, { actor, params, body }) {
      const organization = await updateOrganization(app, actor, params.id, body);
      return { status: 200, body: presentOrganization(organization) };
    },
  }),
  operation({
    method: 'get',
    path: apps,
    tag: 'Administration',
    summary: 'The apps of your organization',
    access: 'administer',
    query: z.strictObject(pagingQuery),
    replies: { 200: listOf(appReply) },
    async handle(app, { actor, query }) {
      return listReply(await listAppsPage(app, actor, query), query, presentApp);
    },
  }),
  operation({
    method: 'post',
    path: apps,
    tag: 'Administration',
    summary: 'Add an app',
    access: 'administer',
    body: z.strictObject({
      name: nameText,
      default_knowledge_visibility: visibility.optional(),
    }),
    replies: { 201: appReply },
    refusals: ['conflict'],
    async handle(app, { actor, body }) {
      const { name, default_knowledge_visibility: defaultKnowledgeVisibility } = body;
      const created = await createApp(app, actor, { name, defaultKnowledgeVisibility });
      const headers = { Location: `${apps}/${created.id}` };
      return { status: 201, body: presentApp(created), headers };
    },
  }),
  operation({
    method: 'get',
    path: `${apps}/:id`,
    tag: 'Administration',
    summary: 'An app',
    access: 'administer',
    params: idParams,
    replies: { 200: appReply },
    async handle(app, { actor, params }) {
      return { status: 200, body: presentApp(await getApp(app, actor, params.id)) };
    },
  }),
  operation({
    method: 'put',
    path: `${apps}/:id`,
    tag: 'Administration',
    summary: 'Change the given fields of an app; entries keep the visibility that they have',
    access: 'administer',
    params: idParams,
    body: z.strictObject({
      name: nameText.optional(),
      default_knowledge_visibility: visibility.optional(),
    }),
    replies: { 200: appReply },
    refusals: ['conflict'],
    async handle(app, { actor, params, body }) {
      const { name, default_knowledge_visibility: defaultKnowledgeVisibility } = body;
      const changed = await updateApp(app, actor, params.id, { name, defaultKnowledgeVisibility });
      return { status: 200, body: presentApp(changed) };
    },
  }),
];
