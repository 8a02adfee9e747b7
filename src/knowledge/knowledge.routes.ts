import type { Context } from 'koa';
import { z } from 'zod';
import { languages } from '../language/language-pack.js';
import { may, requirePermission, visibilities, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { knowsTag } from '../platform/http/negotiate.js';
import { operation, type Operation, type Reply } from '../platform/http/operation.js';
import { flagText, listOf, listReply, numberText, pagingQuery } from '../platform/http/paging.js';
import { etagOf, type Entry, entrySorts, longestText, longestTitle, statuses } from './entry.js';
import { createEntry } from './create-entry.js';
import { deleteEntry } from './delete-entry.js';
import { entryReply, presentEntry, presentVersion, versionReply } from './knowledge.schema.js';
import { answerPage } from './answer-page.js';
import { pageQuery, pageReply } from './page.schema.js';
import { getEntry, listEntries, listHistory } from './read-entries.js';
import { entryReader } from './check-quotes.js';
import { pageOfLink, showLinks } from './show-links.js';
import { updateEntry } from './update-entry.js';

export const pageOperations: Operation[] = [
  operation({
    method: 'get',
    path: '/api/knowledge/page',
    tag: 'Knowledge',
    summary: 'The knowledge of a page that the caller may see',
    access: 'optional',
    query: z.strictObject({
      ...pageQuery,
      own: flagText
        .prefault('false')
        .describe('true: sites of other organizations count as unregistered.'),
    }),
    repeatsQuery: true,
    replies: { 200: pageReply, 304: undefined },
    replyHeaders: ['ETag'],
    async handle(app, { actor, query: { own: ownOnly, ...query }, ctx }) {
      const { etag, json } = await answerPage(app, actor, { ...query, ownOnly });
      const headers = { ETag: etag };
      if (knowsTag(ctx.get('If-None-Match'), etag)) return { status: 304, headers };
      return { json, headers };
    },
  }),
];

const base = '/api/knowledge';
const entryParams = z.object({
  id: z.string().min(1).max(100).describe('The uuid of the entry, or its number.'),
});

const id = z.int().min(1);
const fields = {
  title: z.string().min(1).max(longestTitle),
  content: z.string().min(1).max(longestText).describe('The text itself, plain or Markdown.'),
  domain: z.string().min(1).max(255).describe('A host name: docs.example.com.'),
  url_pattern: z
    .string()
    .min(1)
    .max(1000)
    .nullable()
    .describe(
      'A path that begins with /; :name matches one segment, * the rest. Null: the whole domain.',
    ),
  view_id: id.nullable().describe('A view of the domain’s app, to bind the entry to.'),
  app_id: id.describe('Checked only: the domain decides which app an entry belongs to.'),
  status: z.enum(statuses).describe('Only staff see drafts.'),
  visibility: z.enum(visibilities).nullable().describe('Null: the app’s default, else public.'),
};

const createBody = z.strictObject({
  title: fields.title,
  content: fields.content,
  domain: fields.domain
    .nullable()
    .optional()
    .describe('A host name: docs.example.com. Null, or left out beside app_id: the whole app.'),
  url_pattern: fields.url_pattern.optional(),
  view_id: fields.view_id.optional(),
  app_id: fields.app_id
    .optional()
    .describe('The app of an entry without a domain, by default the first; else checked only.'),
  status: fields.status.optional().describe('draft when omitted.'),
  visibility: fields.visibility.optional(),
});

const updateBody = z
  .strictObject({
    ...fields,
    domain: fields.domain.nullable().describe('Null: the whole app.'),
    app_id: fields.app_id.describe('The app of an entry without a domain; else checked only.'),
    visibility: fields.visibility.describe(
      'Left out: one that somebody has set stays as it is, so that an edit never shows an entry to more people; one that was defaulted becomes the app’s present default. Null: the default from now on.',
    ),
  })
  .partial();

const listQuery = z.strictObject({
  ...pagingQuery,
  q: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe(
      'Words that the entry contains, in any form; the last may be the beginning of a word.',
    ),
  domain: z.string().min(1).max(255).optional().describe('Only entries of this host name.'),
  language: z.enum(languages).optional().describe('Only entries in this language.'),
  document: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'Only entries from documents whose name has this part, in upper or lower case, or from the batch of this id. None for whoever may not write knowledge.',
    ),
  url_pattern: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('Only entries with exactly this pattern.'),
  status: z.enum(statuses).optional().describe('Only entries of this status. Default: both.'),
  visibility: z.enum(visibilities).optional().describe('Only entries of this visibility tier.'),
  app_id: numberText.optional().describe('Only entries of this app.'),
  used: flagText
    .optional()
    .describe(
      'false: only entries that no stored answer of the organization cites; true: only those that one cites. None for whoever may not read all conversations.',
    ),
  sort: z
    .enum(entrySorts)
    .optional()
    .describe('A minus sorts downwards. Default: relevance where q is given, else created_at.'),
});

export const knowledgeOperations: Operation[] = [
  operation({
    method: 'get',
    path: base,
    tag: 'Knowledge',
    summary: 'The entries that the caller may read',
    access: 'knowledge.read',
    query: listQuery,
    replies: { 200: listOf(entryReply) },
    refusals: ['not_found'],
    async handle(app, { actor, query }) {
      const { items, total } = await listEntries(app, actor, query);
      const shown = await asRead(app, actor, items);
      return listReply({ items: shown, total }, query, presentEntry);
    },
  }),
  operation({
    method: 'post',
    path: base,
    tag: 'Knowledge',
    summary: 'Create an entry',
    access: 'knowledge.write',
    body: createBody,
    replies: { 201: entryReply },
    replyHeaders: ['ETag'],
    refusals: ['conflict', 'not_found', 'unprocessable'],
    async handle(app, { actor, body }) {
      const entry = await createEntry(app, actor, body);
      const reply = entryAnswer(entry);
      return { ...reply, headers: { ...reply.headers, Location: `${base}/${entry.uuid}` } };
    },
  }),
  operation({
    method: 'get',
    path: `${base}/:id`,
    tag: 'Knowledge',
    summary: 'One entry',
    access: 'knowledge.read',
    params: entryParams,
    replies: { 200: entryReply },
    replyHeaders: ['ETag'],
    async handle(app, { actor, params }) {
      const entry = await getEntry(app, actor, params.id);
      const [shown = entry] = await asRead(app, actor, [entry]);
      return entryAnswer(shown);
    },
  }),
  operation({
    method: 'put',
    path: `${base}/:id`,
    tag: 'Knowledge',
    summary: 'Change the given fields of an entry; with If-Match only if nobody else has',
    access: 'knowledge.write',
    params: entryParams,
    body: updateBody,
    replies: { 200: entryReply },
    replyHeaders: ['ETag'],
    refusals: ['conflict', 'precondition_failed', 'unprocessable'],
    async handle(app, { actor, params, body, ctx }) {
      const update = { ...body, ifMatch: ifMatchOf(ctx) };
      return entryAnswer(await updateEntry(app, actor, params.id, update));
    },
  }),
  operation({
    method: 'delete',
    path: `${base}/:id`,
    tag: 'Knowledge',
    summary: 'Delete an entry, from answers at once; with If-Match only if nobody has changed it',
    access: 'knowledge.write',
    params: entryParams,
    replies: { 204: undefined },
    refusals: ['precondition_failed'],
    async handle(app, { actor, params, ctx }) {
      await deleteEntry(app, actor, params.id, ifMatchOf(ctx));
    },
  }),
  operation({
    method: 'get',
    path: `${base}/:id/history`,
    tag: 'Knowledge',
    summary: 'The previous versions of an entry, newest first',
    access: 'knowledge.write',
    params: entryParams,
    query: z.strictObject(pagingQuery),
    replies: { 200: listOf(versionReply) },
    async handle(app, { actor, params, query }) {
      const versions = await listHistory(app, actor, { name: params.id, ...query });
      return listReply(versions, query, presentVersion);
    },
  }),
];

/** Whoever may change a text gets it as it is stored; others with links that lead somewhere. */
async function asRead(app: App, actor: Actor, entries: Entry[]): Promise<Entry[]> {
  if (may(actor, 'knowledge.write')) return entries;
  const reader = entryReader(requirePermission(actor, 'knowledge.read'));
  return showLinks(app, reader, entries, pageOfLink);
}

function entryAnswer(entry: Entry): Reply {
  return { body: presentEntry(entry), headers: { ETag: etagOf(entry) } };
}

function ifMatchOf(ctx: Context): string | undefined {
  return ctx.req.headers['if-match'];
}
