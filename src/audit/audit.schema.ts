import { z } from 'zod';
import { presenter } from '../platform/wire-names.js';

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

export const presentChange = presenter(changeReply);
