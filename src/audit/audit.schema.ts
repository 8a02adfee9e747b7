import { z } from 'zod';
import type { RecordedChange } from './recorded-change.js';

const fields = z.record(z.string(), z.unknown()).nullable();

export const changeReply = z
  .object({
    id: z.number(),
    actor: z
      .string()
      .describe(
        'Who did it: user:<id>, operator for the command line, or retention for what was kept for long enough.',
      ),
    action: z.string().describe('What was done, e.g. user.update.'),
    subject: z.string().describe('To what, e.g. user:7.'),
    before: fields.describe('The fields that changed, as they were; null where there was nothing.'),
    after: fields.describe('The same fields as they became; null where nothing is left.'),
    created_at: z.string().describe('When, ISO 8601 in UTC.'),
  })
  .meta({ id: 'Change' });

export function presentChange(change: RecordedChange): z.output<typeof changeReply> {
  const { id, actor, action, subject, before, after, createdAt } = change;
  return { id, actor, action, subject, before, after, created_at: createdAt };
}
