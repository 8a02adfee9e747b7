import { z } from 'zod';
import { longestTitle } from '../knowledge/entry.js';
import { visibilities } from '../platform/actor.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { numberOf, numberText } from '../platform/http/paging.js';
import { resource } from '../platform/http/resource.js';
import { fileRequest } from './file-request.js';
import { getRequest, listRequests } from './read-requests.js';
import { requestStatuses } from './request.js';
import { presentRequest, requestReply } from './requests.schema.js';
import { updateRequest } from './update-request.js';

const base = '/api/knowledge/requests';

export const requestOperations: Operation[] = [
  ...resource({
    base,
    tag: 'Requests',
    access: 'ask',
    params: numberOf('request'),
    reply: requestReply,
    present: presentRequest,
    list: {
      summary: 'Your requests, or, for staff, those of the organization; newest first',
      query: {
        status: z.enum(requestStatuses).optional().describe('Only requests of this state.'),
        app_id: numberText.optional().describe('Only requests of this app.'),
        conversation_id: z
          .string()
          .min(1)
          .max(100)
          .optional()
          .describe('Of what was asked there alone.'),
        q: z.string().min(1).max(200).optional().describe('A part of the question.'),
      },
      refusals: ['not_found'],
      run: listRequests,
    },
    show: { summary: 'A request', run: getRequest },
    update: {
      access: 'requests.resolve',
      summary:
        'Take up, resolve, dismiss or reopen a request; resolving notifies the person who asked',
      body: z.strictObject({
        status: z.enum(requestStatuses).optional(),
        response: z
          .string()
          .max(100_000)
          .optional()
          .describe('The answer. Needed to resolve; before that a draft that only staff see.'),
        publish: z.boolean().optional().describe('Also make the answer a published entry.'),
        domain: z
          .string()
          .min(1)
          .max(255)
          .optional()
          .describe('Of the entry; else the domain of the request’s page.'),
        url_pattern: z.string().min(1).max(1000).optional().describe('Of the entry; else none.'),
        title: z
          .string()
          .min(1)
          .max(longestTitle)
          .optional()
          .describe('Of the entry; else the question.'),
        visibility: z
          .enum(visibilities)
          .optional()
          .describe('Of the entry; else the app’s default.'),
      }),
      refusals: ['unprocessable', 'conflict'],
      run: updateRequest,
    },
  }),
  operation({
    method: 'post',
    path: base,
    tag: 'Requests',
    summary:
      'File a question that the knowledge does not answer; one that still waits is answered with 200',
    access: 'ask',
    limit: 'request',
    body: z.strictObject({
      question: z.string().min(1).max(8000),
      url: z.string().min(1).max(4096).optional().describe('The page that it is about.'),
      app_id: z.int().min(1).optional().describe('Else the app behind the page.'),
      conversation_id: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('A conversation of your own, in which it was not answered.'),
    }),
    replies: { 200: requestReply, 201: requestReply },
    refusals: ['not_found'],
    async handle(app, { actor, body }) {
      const filed = await fileRequest(app, actor, body);
      const headers = { Location: `${base}/${filed.id}` };
      return { status: filed.duplicate ? 200 : 201, body: presentRequest(filed), headers };
    },
  }),
];
