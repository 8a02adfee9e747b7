import { z } from 'zod';
import type { Source } from '../answers/answer.js';

/** A source as the interface has it. */
export const sourceReply = z.object({
  type: z.literal('knowledge'),
  number: z.number(),
  id: z.string(),
  title: z.string(),
  url_pattern: z.string(),
  excerpt: z.string(),
  pages: z.object({ from: z.number(), to: z.number() }).optional(),
});

export function presentSource(cited: Source): z.output<typeof sourceReply> {
  const { number, entryUuid: id, title, urlPattern, excerpt, pageFrom, pageTo } = cited;
  const pages = pageFrom === null ? {} : { pages: { from: pageFrom, to: pageTo ?? pageFrom } };
  // The interface has a string here: an entry without a pattern of its own belongs to every path.
  return {
    type: 'knowledge',
    number,
    id,
    title,
    url_pattern: urlPattern ?? '/*',
    excerpt,
    ...pages,
  };
}
