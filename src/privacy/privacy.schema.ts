import { z } from 'zod';
import { presenter } from '../platform/wire-names.js';
import { personKinds } from './person.js';
import type { Erasure } from './erase-person.js';
import { longestDays, retentionKinds } from './retention.js';

export const personParams = z.object({
  kind: z
    .enum(personKinds)
    .describe('An account, a person of an app’s host, a browser, or the holder of a conversation.'),
  id: z
    .string()
    .min(1)
    .max(100)
    .describe(
      'The number of the user or end user, or the id of the visitor (as requests show it) or conversation.',
    ),
});

export const erasureReply = z
  .object({
    person: z.string().describe('As the record of changes calls them, e.g. user:7.'),
    found: z
      .array(z.string())
      .describe('All who were found, and erased: user:7, end_user:12, visitor:…, conversation:….'),
    linked_account: z
      .string()
      .nullable()
      .describe('The account of the same person, which stays: it was an end user who was named.'),
    linked_identities: z
      .array(z.string())
      .describe(
        'The end users of sites that your account was linked with: an admin can erase them.',
      ),
    rows: z
      .record(z.string(), z.number())
      .describe('Rows that were deleted or made anonymous, by table.'),
    published_entries: z
      .array(z.string())
      .describe('Entries that answers to their questions were published as: they stay.'),
    rewritten: z
      .boolean()
      .describe(
        'Whether the database file was rewritten; else the server does it within the hour.',
      ),
  })
  .meta({ id: 'Erasure' });

const present = presenter(erasureReply);

export function presentErasure(erasure: Erasure): z.output<typeof erasureReply> {
  return present({ ...erasure, linkedAccount: erasure.linkedAccount ?? null });
}

const kept = z.object({
  days: z.number().describe('Days after the last change; 0 for ever.'),
  own: z.boolean().describe('True: set by the organization instead of the configuration.'),
});
const days = z.int().min(0).max(longestDays).nullable();

function eachKind<T>(value: T): Record<(typeof retentionKinds)[number], T> {
  return Object.fromEntries(retentionKinds.map((kind) => [kind, value])) as never;
}

export const retentionReply = z.object(eachKind(kept)).meta({ id: 'Retention' });

export const retentionBody = z.strictObject(
  eachKind(days.optional().describe('Days, 0 for ever, or null for what the configuration has.')),
);
