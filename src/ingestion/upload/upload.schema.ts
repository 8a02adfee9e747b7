import { z } from 'zod';
import { visibilities } from '../../platform/actor.js';
import { flagText, numberText } from '../../platform/http/paging.js';
import { batchStatuses } from '../batches/batch.js';
import { batchReply } from '../batches/batch.schema.js';
import { faultOfSource, longestFolder } from './identity.js';
import { standings } from './look-up-file.js';

export const sourceName = z
  .string()
  .refine((name) => faultOfSource(name) === undefined, { message: faultOfSource('') });

export const uploadFields = z.strictObject({
  app_id: numberText
    .optional()
    .describe('The app of the entries. Default: that of the domain, else the first.'),
  domain: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('The host name of the entries. Default: none, they are of the whole app.'),
  visibility: z.enum(visibilities).optional().describe('Default: that of the app.'),
  source: sourceName
    .optional()
    .describe(
      'The source that the file belongs to. Files of one name in two sources are two documents. Default: none.',
    ),
  folder: z
    .string()
    .min(1)
    .max(longestFolder)
    .optional()
    .describe(
      'The folder that the file was found in, as far as it is the same on every machine. A file without a source is refused where the last version of its document came from another folder.',
    ),
  force: flagText
    .optional()
    .describe('true reads a file again that was ingested before. Default: false.'),
});

export const documentFields = uploadFields.extend({
  source_url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional()
    .describe('The address of the page, where the file is one. Sources of answers link to it.'),
});

export const lookUpQuery = z.strictObject({
  file_name: z.string().min(1).max(255).describe('The file name of the upload.'),
  file_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in hexadecimal, small letters')
    .describe('Of its bytes, in hexadecimal.'),
  app_id: uploadFields.shape.app_id,
  domain: uploadFields.shape.domain,
  visibility: uploadFields.shape.visibility,
  source: uploadFields.shape.source,
  folder: uploadFields.shape.folder,
});

export const startedReply = z.object({
  batch_id: z.string().describe('A uuid.'),
  status: z.enum(batchStatuses),
  message: z.string().describe('Where to ask for its progress.'),
  duplicate: z
    .boolean()
    .describe('Whether the same file was ingested earlier: its batch is returned.'),
});

export const lookedUpReply = z.object({
  standing: z
    .enum(standings)
    .describe(
      'new: unknown file name. changed: another version was ingested. unchanged: the same bytes were accepted before, and their entries are current or still being made.',
    ),
  batch: batchReply.nullable().describe('The batch that the upload would return.'),
  app_id: z.number().describe('The app that the entries would belong to.'),
  domain: z.string().nullable().describe('Their domain, if any.'),
  domain_is_registered: z.boolean().describe('Whether an app claims the domain.'),
  max_file_mb: z.number().describe('No file may have more megabytes.'),
});
