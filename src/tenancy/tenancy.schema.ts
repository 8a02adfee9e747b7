import { z } from 'zod';
import { visibilities } from '../platform/actor.js';
import { numberText } from '../platform/http/paging.js';
import { presenter } from '../platform/wire-names.js';

/** The number of a record in a path. */
export const idParams = z.object({
  id: numberText.describe('Its number, as the list shows it.'),
});

/** The parameter that limits a list to one app. */
export const appFilter = {
  app_id: numberText.optional().describe('Only those of this app.'),
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
    time_zone: z
      .string()
      .nullable()
      .describe('Days of figures are those of this zone. Null: the server’s zone.'),
    ...times,
  })
  .meta({ id: 'Organization' });

export const presentOrganization = presenter(organizationReply);

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

export const presentApp = presenter(appReply);

export const domainReply = z
  .object({
    id: z.number(),
    host: z.string().describe('A host name, or *.example.com for every host below.'),
    app_id: z.number(),
    ...times,
  })
  .meta({ id: 'Domain' });

export const presentDomain = presenter(domainReply);

export const viewReply = z
  .object({
    id: z.number(),
    app_id: z.number(),
    path: z.string().describe('Canonical, e.g. /invoices/:id.'),
    title: z.string(),
    ...times,
  })
  .meta({ id: 'View' });

export const presentView = presenter(viewReply);
