import { z } from 'zod';

/** A document of a stated source, named by the batch of its last reading. */
export const documentReply = z
  .object({
    batch_id: z.string().describe('The batch of its last reading.'),
    source: z.string().nullable().describe('The stated source; null without one.'),
    file_name: z
      .string()
      .describe('Its name: the path of the file below the folder of the source.'),
  })
  .meta({ id: 'Document' });

export const weighedReply = documentReply
  .extend({
    published: z.number().describe('Its published entries. Removing it makes drafts of them.'),
    drafts: z.number().describe('Its drafts that nobody edited. Removing it deletes them.'),
  })
  .meta({ id: 'DocumentWithWeight' });

export const prunedReply = z.object({
  success: z.boolean(),
  taken_back: z
    .number()
    .describe(
      'Entries that were approved once or edited: they are drafts now, with their history.',
    ),
  deleted: z.number().describe('Drafts that were deleted.'),
});
