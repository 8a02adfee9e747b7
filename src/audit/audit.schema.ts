import { z } from 'zod';
import { presenter } from '../platform/wire-names.js';

const fields = z.record(z.string(), z.unknown()).nullable();

export const changeReply = z
  .object({
    id: z.number(),
    actor: z
      .string()
      .describe(
        'The author: user:<id>, operator for the command line, or retention for expired data.',
      ),
    action: z.string().describe('What was done, e.g. user.update.'),
    subject: z.string().describe('To what, e.g. user:7.'),
    before: fields.describe('The changed fields before the change; null when the record was new.'),
    after: fields.describe('The same fields after the change; null when the record was deleted.'),
    created_at: z.string().describe('When, ISO 8601 in UTC.'),
  })
  .meta({ id: 'Change' });

export const presentChange = presenter(changeReply);
