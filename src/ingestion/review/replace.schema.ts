import { z } from 'zod';
import type { Replaced } from './replace-in-drafts.js';

/** What is replaced in the drafts of a batch, as a request states it. */
export const replacementBody = z.strictObject({
  find: z
    .string()
    .min(1)
    .max(2000)
    .describe('As it is written in titles and texts; upper and lower case count.'),
  replacement: z
    .string()
    .max(2000)
    .optional()
    .describe('The new text. Default: the text is taken out.'),
  whole_lines: z
    .boolean()
    .optional()
    .describe('true: only where it is a whole line, or a whole part of a title. Default: false.'),
  entry_ids: z
    .array(z.int().min(1))
    .max(100_000)
    .optional()
    .describe('The numbers of drafts of this batch. Default: all that are open.'),
});

export const replacedReply = z.object({
  success: z.boolean().describe('false when a draft was refused.'),
  replaced: z.number().describe('How many drafts are changed.'),
  refused: z
    .array(z.object({ id: z.string(), title: z.string().nullable(), message: z.string() }))
    .describe('Drafts that stay as they are, such as one that would have no text, by their uuids.'),
  published: z
    .number()
    .describe('How many published entries of the document have the text. They stay as they are.'),
});

export function presentReplaced(done: Replaced): z.output<typeof replacedReply> {
  const { changed, refused, published } = done;
  return {
    success: refused.length === 0,
    replaced: changed,
    published,
    refused: refused.map(({ name: id, title = null, error: { message } }) => ({
      id,
      title,
      message,
    })),
  };
}
