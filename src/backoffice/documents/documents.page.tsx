import { z } from 'zod';
import { batchStatuses } from '../../ingestion/batches/batch.js';
import { browseBatches } from '../../ingestion/review/list-batches.js';
import { lookUpFile } from '../../ingestion/upload/look-up-file.js';
import { fileTooLarge, startIngestion } from '../../ingestion/upload/start-ingestion.js';
import { lookUpQuery, uploadFields } from '../../ingestion/upload/upload.schema.js';
import { listAppChoices, listDomainChoices } from '../../tenancy/app-choices.js';
import { domainText } from '../layout/domain-field.js';
import { fileAction, page } from '../page.js';
import { batchPath } from './batch-params.js';
import { Documents } from './documents.js';

const rowsPerPage = 50;

/** A form sends an empty text for what was left open. */
const unlessEmpty = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

const target = {
  app_id: unlessEmpty(uploadFields.shape.app_id),
  domain: unlessEmpty(domainText.pipe(z.string().max(255)).optional()),
  visibility: unlessEmpty(uploadFields.shape.visibility),
};

const listPage = page({
  path: '/documents',
  access: 'knowledge.write',
  query: z.object({
    // A filter of an old link must not keep the list from being shown.
    name: unlessEmpty(z.string().max(255).optional()).catch(undefined),
    status: z.enum(batchStatuses).optional().catch(undefined),
    app: unlessEmpty(z.coerce.number().int().min(1).optional()).catch(undefined),
    after: z.string().max(100).optional().catch(undefined),
  }),
  async show(app, { actor, say, query }) {
    const { app: appId, ...filter } = query;
    const slice = await browseBatches(app, actor, { ...filter, appId, limit: rowsPerPage });
    const apps = await listAppChoices(app, actor);
    const hosts = await listDomainChoices(app, actor);
    const megabytes = app.config.ingestion.max_file_mb;
    return {
      title: say.documents.title,
      body: (
        <Documents slice={slice} apps={apps} hosts={hosts} megabytes={megabytes} filter={query} />
      ),
    };
  },
  upload: fileAction({
    name: 'upload',
    field: 'file',
    maxBytes: ({ config }) => config.ingestion.max_file_mb * 1024 * 1024,
    tooLarge: ({ config }) => fileTooLarge(config.ingestion.max_file_mb),
    form: z.object({
      ...target,
      force: z
        .literal('on')
        .optional()
        .transform((on) => on === 'on'),
    }),
    async act(app, { actor, form, file }) {
      const { fileName, bytes, fileSha256 } = file;
      const given = { ...form, fileName, bytes, fileSha256 };
      const { batch, duplicate } = await startIngestion(app, actor, given);
      return { to: batchPath(batch.id), done: duplicate ? 'duplicate' : 'uploaded' };
    },
  }),
});

/** For the script: what a file would come to, in the person's words. */
const lookUpPage = page({
  path: '/documents/look-up',
  access: 'knowledge.write',
  query: z.object({
    ...target,
    file_name: lookUpQuery.shape.file_name,
    file_sha256: lookUpQuery.shape.file_sha256,
  }),
  async show(app, { actor, say, query }) {
    const { target, standing, batch } = await lookUpFile(app, actor, query);
    const words = say.documents.upload;
    const isPending = batch !== undefined && standing !== 'unchanged';
    const text = [
      isPending ? words.pending : words.standings[standing],
      ...(target.domain === null || target.domainIsRegistered ? [] : [words.unregistered]),
    ].join(' ');
    return {
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ standing, text }),
    };
  },
});

export const documentPages = [listPage, lookUpPage];
