import { z } from 'zod';
import { visibilities } from '../platform/actor.js';
import type { OrganizationRecord } from './sites-admin.repository.js';
import type { Domain, SiteApp } from './sites.repository.js';
import type { View } from './views.repository.js';

/** The number of a thing in an address. */
export const idParams = z.object({
  id: z.coerce.number().int().min(1).describe('Its number, as the list shows it.'),
});

/** What narrows a list to one app. */
export const appFilter = {
  app_id: z.coerce.number().int().min(1).optional().describe('Only those of this app.'),
};

/** A name or title: one line. */
export const nameText = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be one line of text, without control characters');

const times = {
  created_at: z.string().describe('ISO 8601, UTC.'),
  updated_at: z.string().describe('ISO 8601, UTC.'),
};

export const organizationReply = z
  .object({
    id: z.number(),
    name: z.string(),
    slug: z.string().describe('Names it on the command line.'),
    ...times,
  })
  .meta({ id: 'Organization' });

export function presentOrganization(
  organization: OrganizationRecord,
): z.output<typeof organizationReply> {
  const { id, name, slug, createdAt, updatedAt } = organization;
  return { id, name, slug, created_at: createdAt, updated_at: updatedAt };
}

export const appReply = z
  .object({
    id: z.number(),
    name: z.string(),
    default_knowledge_visibility: z
      .enum(visibilities)
      .nullable()
      .describe('The visibility of entries that are given none; null means public.'),
    ...times,
  })
  .meta({ id: 'App' });

export function presentApp(app: SiteApp): z.output<typeof appReply> {
  return {
    id: app.id,
    name: app.name,
    default_knowledge_visibility: app.defaultKnowledgeVisibility,
    created_at: app.createdAt,
    updated_at: app.updatedAt,
  };
}

export const domainReply = z
  .object({
    id: z.number(),
    host: z.string().describe('A host name, or *.example.com for every host below.'),
    app_id: z.number(),
    ...times,
  })
  .meta({ id: 'Domain' });

export function presentDomain(domain: Domain): z.output<typeof domainReply> {
  const { id, host, appId, createdAt, updatedAt } = domain;
  return { id, host, app_id: appId, created_at: createdAt, updated_at: updatedAt };
}

export const viewReply = z
  .object({
    id: z.number(),
    app_id: z.number(),
    path: z.string().describe('Canonical, e.g. /invoices/:id.'),
    title: z.string(),
    ...times,
  })
  .meta({ id: 'View' });

export function presentView(view: View): z.output<typeof viewReply> {
  const { id, appId, path, title, createdAt, updatedAt } = view;
  return { id, app_id: appId, path, title, created_at: createdAt, updated_at: updatedAt };
}
