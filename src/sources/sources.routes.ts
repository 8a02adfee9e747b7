import { z } from 'zod';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, numberOf, pagingQuery } from '../platform/http/paging.js';
import { resource } from '../platform/http/resource.js';
import { createSource, deleteSource, requestRun, updateSource } from './manage-sources.js';
import { getSource, listRuns, listSources } from './read-sources.js';
import {
  newSourceBody,
  presentSource,
  presentSourceRun,
  sourceChangeBody,
  sourceReply,
  sourceRunReply,
} from './sources.schema.js';

const base = '/api/knowledge/sources';
const params = numberOf('source');
const common = { tag: 'Ingestion', access: 'knowledge.write' } as const;

export const sourceOperations: Operation[] = [
  ...resource({
    ...common,
    base,
    params,
    reply: sourceReply,
    present: presentSource,
    list: { summary: 'The websites and folders that are read again and again', run: listSources },
    create: {
      summary: 'Add a website as a source; folders are added on the server’s command line',
      body: newSourceBody,
      refusals: ['conflict', 'not_found', 'unprocessable'],
      run: createSource,
    },
    show: { summary: 'A source with its last run', run: getSource },
    update: {
      summary: 'Change a source',
      body: sourceChangeBody,
      refusals: ['conflict'],
      run: updateSource,
    },
    delete: { summary: 'Remove a source; what was read of it stays', run: deleteSource },
  }),
  operation({
    ...common,
    method: 'post',
    path: `${base}/:id/run`,
    summary: 'Read a source as soon as a server is free',
    params,
    replies: { 202: sourceReply },
    refusals: ['conflict'],
    handle: async (app, { actor, params }) => ({
      body: presentSource(await requestRun(app, actor, params.id)),
    }),
  }),
  operation({
    ...common,
    method: 'get',
    path: `${base}/:id/runs`,
    summary: 'The runs of a source, newest first',
    params,
    query: z.strictObject(pagingQuery),
    replies: { 200: listOf(sourceRunReply) },
    handle: async (app, { actor, params, query }) =>
      listReply(await listRuns(app, actor, params.id, query), query, presentSourceRun),
  }),
];
