import { z } from 'zod';
import { visibilities } from '../platform/actor.js';
import { presenter } from '../platform/wire-names.js';
import { scopes, statuses, type Entry } from './entry.js';

export const entryReply = z
  .object({
    id: z.string().describe('The uuid.'),
    number: z.number().describe('The integer id, as batches and the page query show it.'),
    title: z.string(),
    content: z.string(),
    domain: z.string().nullable().describe('A host name; null for an entry of the whole app.'),
    url_pattern: z.string().nullable().describe('Null for an entry of the whole domain.'),
    view_id: z.number().nullable().describe('The view that it is bound to, if any.'),
    status: z.enum(statuses),
    visibility: z.enum(visibilities),
    visibility_defaulted: z
      .boolean()
      .describe('Whether nobody chose the visibility: it was the app’s default.'),
    scope: z.enum(scopes).describe('Where it is shown: follows from view, pattern and domain.'),
    app_id: z
      .number()
      .nullable()
      .describe('Null while no app claims the domain: the entry waits, unseen.'),
    language: z.string().describe('As it was recognised in the text: en, es, de or other.'),
    batch_id: z.string().nullable().describe('The ingestion batch that it came from.'),
    page_from: z.number().nullable().describe('The first page of the PDF that it came from.'),
    page_to: z.number().nullable().describe('The last such page.'),
    source_url: z
      .string()
      .nullable()
      .describe('The address of the page that it came from, if it has one.'),
    source_anchor: z
      .string()
      .nullable()
      .describe('Its place in a document without pages: the id of its heading, or paragraph-12.'),
    version: z.number().describe('Counts the changes, from 1.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
    updated_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'KnowledgeEntry' });

const present = presenter(entryReply);

export function presentEntry(entry: Entry): z.output<typeof entryReply> {
  return present({ ...entry, id: entry.uuid, number: entry.id });
}

/** A previous version: its fields, its author and its time. */
export const versionReply = entryReply
  .extend({ changed_by: z.string().describe('operator (the command line) or user:<id>.') })
  .meta({ id: 'KnowledgeVersion' });

export function presentVersion(entry: Entry): z.output<typeof versionReply> {
  return { ...presentEntry(entry), changed_by: entry.changedBy };
}
