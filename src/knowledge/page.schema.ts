import { z } from 'zod';
import { spokenLanguages } from '../language/language-pack.js';
import { visibilities } from '../platform/actor.js';
import { numberText } from '../platform/http/paging.js';
import { presenter } from '../platform/wire-names.js';
import { scopes } from './entry.js';
import type { PageResult } from './query-page.js';
import { suggestionsOf } from './suggestions.js';

/** The parameters that name a page. */
export const pageQuery = {
  url: z.string().min(1).max(4096).describe('The full address of the page.'),
  view_path: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('The path of the view that the page shows: its knowledge comes first.'),
  view_id: numberText.optional().describe('The number of the view, instead of view_path.'),
  language: z
    .enum(spokenLanguages)
    .optional()
    .describe('Only entries in this language. Default: entries in every language.'),
};

const pageContent = z
  .object({
    id: z.number(),
    title: z.string(),
    visibility: z.enum(visibilities),
    content: z.string(),
    scope: z.enum(scopes),
    url_pattern: z.string().nullable(),
    language: z.string().describe('As it was recognised in the text: en, es, de or other.'),
  })
  .meta({ id: 'PageContent' });

export const pageReply = z.object({
  url: z.string(),
  status: z
    .enum(['available', 'empty', 'unregistered'])
    .describe('unregistered: no app claims the domain. empty: there is nothing for this caller.'),
  content: pageContent.nullable().describe('The best entry; null without any.'),
  contents: z
    .array(pageContent)
    .describe(
      'All entries of the page, best first, at most 50, and those that have 500,000 characters together.',
    ),
  app: z.object({
    id: z.number().nullable(),
    name: z.string().nullable(),
    isRegistered: z.boolean(),
  }),
  domain: z.object({ name: z.string(), isRegistered: z.boolean() }),
  stats: z
    .object({
      appContentCount: z.number().describe('Entries of the app, of all its pages.'),
      domainContentCount: z.number().describe('Entries of the domain, of all its pages.'),
      scopedContentCount: z
        .number()
        .describe('Entries of this very page, by its view or by a pattern.'),
    })
    .describe('The number of entries that this caller may see.'),
  suggestions: z
    .array(z.string())
    .describe(
      'First questions, at most 4: titles of entries of this very page, else of its whole site.',
    ),
});

export function presentPage({ url, site, entries, stats }: PageResult): z.output<typeof pageReply> {
  const contents = entries.map(presentContent);
  const isRegistered = site.app !== undefined;
  const found = contents.length > 0 ? 'available' : 'empty';
  return {
    url,
    status: isRegistered ? found : 'unregistered',
    content: contents[0] ?? null,
    contents,
    app: { id: site.app?.id ?? null, name: site.app?.name ?? null, isRegistered },
    domain: { name: site.host, isRegistered },
    stats: {
      appContentCount: stats.app,
      domainContentCount: stats.domain,
      scopedContentCount: stats.scoped,
    },
    suggestions: suggestionsOf(entries),
  };
}

const presentContent = presenter(pageContent);
